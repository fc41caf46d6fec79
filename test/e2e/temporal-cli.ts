/** Temporal's own command line, as an operator of the world has it. */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { temporalCliPath } from '../support/workflows/temporal.ts';
import type { SharedWorld } from './shared-world.ts';

const run = promisify(execFile);

/** Runs a line of the shell and gives what it printed, on either stream; never rejects. */
export async function inOperatorsShell({ file, running }: SharedWorld, line: string) {
  const folder = dirname(await temporalCliPath());
  const env = {
    PATH: `${folder}:/usr/local/bin:/usr/bin:/bin`,
    HOME: running.stateDir,
    TEMPORAL_ADDRESS: file.temporalAddress,
    TEMPORAL_NAMESPACE: file.temporalNamespace,
  };
  const printed = await run('bash', ['-c', line], { env, maxBuffer: 1 << 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
  return { code: printed.code, text: printed.stdout + printed.stderr };
}

/** The flags with which the CLI reads what is encrypted. */
export const codecFlags = ({ file: { codecEndpoint } }: SharedWorld) =>
  `--codec-endpoint ${codecEndpoint.url} --codec-auth "Bearer ${codecEndpoint.token}"`;
