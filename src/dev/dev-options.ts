/** The command line of `npm run dev`. */
import { Command } from 'commander';
import {
  addWorldOptions,
  realDaySeconds,
  settleWorldOptions,
  type CommonOptions,
} from './world-options.ts';

export interface DevOptions extends Required<CommonOptions> {
  /** Whether API and worker listen for debuggers. */
  inspect: boolean;
}

/** Prints usage and ends the process on `--help` and on unknown options. */
export function parseDevOptions(argv: string[]): DevOptions {
  const command = new Command('npm run dev --')
    .description(
      'Brings up the world of `npm run quickstart` without its tour, says where everything is, and ' +
        'restarts API, worker or sandbox when a source file of theirs changes. Ctrl-C stops everything.',
    )
    .option('--inspect', 'let debuggers in: the API on port 9229, the worker on 9230', false)
    .addHelpText(
      'after',
      `
Migrations are applied at the start; changes of src/dev and src/cli need none, or a new one.

Examples:
  npm run dev
  npm run dev -- --inspect
  npm run dev -- --ports auto --state-dir /tmp/another-world --day-seconds 60`,
    );
  addWorldOptions(command, String(realDaySeconds)).parse(argv, { from: 'user' });
  const options = command.opts<CommonOptions & { inspect: boolean }>();
  return settleWorldOptions(command, options, realDaySeconds);
}
