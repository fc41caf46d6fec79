/** The command line of `npm run quickstart`. */
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { whyNoRealServers } from './vps-requirements.ts';

export interface QuickstartOptions {
  once: boolean;
  tour: boolean;
  fresh: boolean;
  /** Absolute. */
  stateDir: string;
  ports: 'default' | 'auto';
  vps: 'simulated' | 'real';
  daySeconds: number;
}

const realDaySeconds = 86_400;
/** With a tour nobody wants to wait a day for a follow-up. */
const tourDaySeconds = 20;

/** Prints usage and ends the process on `--help` and on what it does not know. */
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
    .option('--fresh', 'forget the state of earlier runs', false)
    .option('--state-dir <dir>', 'where database, logs and world.json live', '.outreach')
    .addOption(
      new Option(
        '--ports <mode>',
        'default: 3000 API, 7233/8233 Temporal, ...; auto: any free ones',
      )
        .choices(['default', 'auto'])
        .default('default'),
    )
    .addOption(
      new Option('--vps <kind>', 'how rented servers run; real: booted Debian 12 (root on Linux)')
        .choices(['simulated', 'real'])
        .default('simulated'),
    )
    .option(
      '--day-seconds <n>',
      `how long a day of sending lasts (default: ${tourDaySeconds} with the tour, else ${realDaySeconds})`,
      toDaySeconds,
    )
    .addHelpText(
      'after',
      `
Examples:
  npm run quickstart
  npm run quickstart -- --once --ports auto
  npm run quickstart -- --no-tour --fresh`,
    )
    .showHelpAfterError();
  command.parse(argv, { from: 'user' });
  const options = command.opts<Omit<QuickstartOptions, 'daySeconds'> & { daySeconds?: number }>();
  if (options.once && !options.tour) {
    command.error('error: --once runs the tour, it cannot go with --no-tour');
  }
  const reason = options.vps === 'real' ? whyNoRealServers() : undefined;
  if (reason !== undefined) command.error(`error: --vps real is impossible here: ${reason}`);
  const { daySeconds = options.tour ? tourDaySeconds : realDaySeconds } = options;
  return { ...options, daySeconds, stateDir: resolve(options.stateDir) };
}

function toDaySeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > realDaySeconds) {
    throw new InvalidArgumentError(`a whole number from 1 to ${realDaySeconds}`);
  }
  return seconds;
}
