/** The options that all commands which start a world have in common. */
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DAY_SECONDS } from '../domain/day.ts';
import { whyNoRealServers } from './vps-requirements.ts';

/** A day of sending as long as a day. */
export const realDaySeconds = DAY_SECONDS;

export interface CommonOptions {
  fresh: boolean;
  stateDir: string;
  ports: 'default' | 'auto';
  vps: 'simulated' | 'real';
  daySeconds?: number;
  trace: boolean;
  testMode: boolean;
}

/** `dayDefault` is the help text for the default of `--day-seconds`. */
export function addWorldOptions(command: Command, dayDefault: string): Command {
  return command
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
    .option('--trace', 'collect traces of API and worker, and show them on a page', false)
    .option('--test-mode', 'with test mode: a second sandbox, and a worker of its own', false)
    .option(
      '--day-seconds <n>',
      `how long a day of sending lasts (default: ${dayDefault})`,
      toDaySeconds,
    )
    .showHelpAfterError();
}

/** Ends the process with a reason where this machine cannot do what was asked; makes paths absolute. */
export function settleWorldOptions<Given extends CommonOptions>(
  command: Command,
  given: Given,
  daySeconds: number,
) {
  const reason = given.vps === 'real' ? whyNoRealServers() : undefined;
  if (reason !== undefined) command.error(`error: --vps real is impossible here: ${reason}`);
  return {
    ...given,
    daySeconds: given.daySeconds ?? daySeconds,
    stateDir: resolve(given.stateDir),
  };
}

function toDaySeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > realDaySeconds) {
    throw new InvalidArgumentError(`a whole number from 1 to ${realDaySeconds}`);
  }
  return seconds;
}
