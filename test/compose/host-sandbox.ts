/** The sandbox as a process of the host, at the address by which containers reach it. */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { devEnvironment } from '../../src/dev/environment.ts';
import { root } from '../../src/dev/processes/processes.ts';
import { HOST } from './engine.ts';
import { API, SANDBOX, SANDBOX_PORT, type Deployment } from './settings.ts';

const START_MS = 120_000;

/** Resolves when it answers, with what ends it. */
export async function startHostSandbox(
  { sandboxDir, webhookSecret }: Deployment,
  logFile: string,
): Promise<{ stop: () => Promise<void> }> {
  const args = ['--import', 'tsx', join(root, 'src/sandbox/main.ts'), '--state-dir', sandboxDir];
  args.push('--host', HOST, '--url', SANDBOX, '--port', String(SANDBOX_PORT));
  args.push('--webhook-url', `${API}/wallet/webhook`, '--webhook-secret', webhookSecret);
  const env = { ...devEnvironment().inherited, TZ: 'UTC' };
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const deadline = Date.now() + START_MS;
  while (!(await answers())) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The sandbox did not start: see ${logFile}`);
    }
    await sleep(250);
  }
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const answers = () =>
  fetch(`${SANDBOX}/_sandbox/books`).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.ok;
    },
    () => false,
  );
