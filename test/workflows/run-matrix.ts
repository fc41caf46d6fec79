/**
 * `npm run drill -- matrix`: every case of both matrices, which `npm test` has a part of. Its own command line,
 * because Vitest's help says nothing of it.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { countOrNone } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

const FILES = {
  provisioning: 'test/workflows/saga-matrix.test.ts',
  others: 'test/workflows/flow-matrix.test.ts',
};

const { flows, seed } = drillCommand('matrix')
  .addOption(
    new Option('--flows <which>', 'provisioning, or all others (default: both)').choices(
      Object.keys(FILES),
    ),
  )
  .option('--seed <n>', 'only the part that it draws (default: every case)', countOrNone)
  .addHelpText(
    'after',
    `
All cases are about a thousand, eight at a time, two thirds of them provisionings. A full run of 1,027
took 16 minutes on two cores beside other work, so expect half an hour on one; a flow of two hours fails.
A part takes a minute or two. Flows are told when they end, each with its cases; it is good if both residues
are 0 and the exit code is 0.

Examples:
  npm run drill -- matrix
  npm run drill -- matrix --flows others
  npm run drill -- matrix --seed 5`,
  )
  .parse()
  .opts<{ flows?: keyof typeof FILES; seed?: number }>();

const files = flows === undefined ? Object.values(FILES) : [FILES[flows]];
const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const part = seed === undefined ? { MATRIX: 'full' } : { MATRIX: '', MATRIX_SEED: `${seed}` };
const child = spawn(process.execPath, [vitest, 'run', '--no-file-parallelism', ...files], {
  env: { ...process.env, ...part },
  stdio: 'inherit',
});
process.on('SIGTERM', () => child.kill('SIGTERM'));
// Ctrl-C reaches Vitest by itself; its exit code is waited for.
process.on('SIGINT', () => undefined);
child.once('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal!];
});
