/**
 * `npm run drill -- replay-live --sample 200`: `outreach replay` of these sources, against a running
 * installation (its settings are in the environment) or a world in a box.
 */
import { commandEnvironment } from '../../src/config.ts';
import { runCommand } from '../../src/cli/program.ts';
import { drillCommand } from '../drill/drills.ts';
import { count } from '../support/tools/whole-number.ts';

const { sample, closedHours, world } = drillCommand('replay-live')
  .option('--sample <n>', 'open runs of each workflow type, and as many closed ones', count, 50)
  .option('--closed-hours <n>', 'closed runs are taken from this long', count, 24)
  .option('--world <file>', "a running world's file", '.outreach/world.json')
  .addHelpText('after', '\nExample:\n  npm run drill -- replay-live --sample 200')
  .parse()
  .opts<{ sample: number; closedHours: number; world: string }>();

const numbers = ['--sample', String(sample), '--closed-hours', String(closedHours)];
process.exitCode = await runCommand(['replay', ...numbers, '--world', world], {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  environment: commandEnvironment(),
});
