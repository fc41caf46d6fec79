/**
 * The command line of a bench: its options, their defaults in `--help`, exit code 2 for invalid input.
 */
import { Command } from 'commander';

/** Add options, then read them with `optionsOf`. */
export const bench = (name: string, description: string): Command =>
  new Command(`npm run bench -- ${name}`)
    .description(description)
    .showHelpAfterError('(--help lists the options)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

export const optionsOf = <Options extends object>(command: Command): Options =>
  command.parse().opts<Options>();
