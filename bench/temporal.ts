/** A Temporal development server of a bench's own: in memory, on a free port. */
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/dev/ports.ts';
import { temporalAnswers } from '../src/dev/temporal/temporal-probe.ts';
import { temporalCliPath } from '../src/dev/temporal/temporal-server.ts';

const START_MS = 60_000;

/** Stop it by `child.kill()`. */
export async function startTemporalServer(): Promise<{ address: string; child: ChildProcess }> {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)];
  args.push('--log-level', 'error');
  const child = spawn(await temporalCliPath(console.log), args, { stdio: 'ignore' });
  const deadline = Date.now() + START_MS;
  while (!(await temporalAnswers({ address, namespace: 'default' }))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('no Temporal server');
    await sleep(100);
  }
  return { address, child };
}
