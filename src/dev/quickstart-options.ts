/** The command line of `npm run quickstart`. */
import { Command } from 'commander';
import {
  addWorldOptions,
  realDaySeconds,
  settleWorldOptions,
  type CommonOptions,
} from './world-options.ts';

export interface QuickstartOptions extends Required<CommonOptions> {
  once: boolean;
  tour: boolean;
}

/** With a tour a follow-up must not take a day. */
const tourDaySeconds = 20;

/** Prints usage and ends the process on `--help` and on unknown options. */
export function parseOptions(argv: string[]): QuickstartOptions {
  const command = new Command('npm run quickstart --')
    .description(
      'Brings up the whole world on this machine (Postgres, Temporal, the sandbox of vendors, API ' +
        'and worker), shows what the product does and stays up until Ctrl-C.',
    )
    .option(
      '--once',
      'run the tour, stop everything; exit 0 only if every step did its work',
      false,
    )
    .option('--no-tour', 'start the world and stay up')
    .addHelpText(
      'after',
      `
Examples:
  npm run quickstart
  npm run quickstart -- --once --ports auto
  npm run quickstart -- --no-tour --fresh
  npm run quickstart -- --trace`,
    );
  addWorldOptions(command, `${tourDaySeconds} with the tour, else ${realDaySeconds}`);
  command.parse(argv, { from: 'user' });
  const options = command.opts<CommonOptions & { once: boolean; tour: boolean }>();
  if (options.once && !options.tour) {
    command.error('error: --once runs the tour, it cannot go with --no-tour');
  }
  return settleWorldOptions(command, options, options.tour ? tourDaySeconds : realDaySeconds);
}
