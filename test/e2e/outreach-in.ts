/** The command line as an engineer types it: a process of its own, that finds the world by its file. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SharedWorld } from './shared-world.ts';
import { compiledProgram } from '../../src/dev/processes/compiled-sources.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Does not throw: `code` is what the process ended with. */
export async function outreachIn({ running }: SharedWorld, argv: readonly string[]) {
  const world = join(running.stateDir, 'world.json');
  const command = [...compiledProgram('src/cli/outreach.ts'), ...argv, '--world', world];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: running.stateDir };
  return await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, command, { cwd: root, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
  });
}
