/** What commands of clients share: options, help, questions. */
import { Command } from 'commander';
import { CommandEnd, EXIT, printable, type Io } from '../io.ts';
import { withLogin } from './connection.ts';

/** The headings of a group in which operators have commands, too. */
export const CLIENTS = 'Commands of clients, by the API:';
export const OPERATORS = 'Commands of operators, by Postgres and Temporal:';

/** The help text about exit codes; operators' commands have more of them. */
const CLIENT_EXIT_CODES = `
Exit codes:
  0  done
  1  it failed: stderr has the code, the field and the id of the request
  2  the command line is wrong`;

/** A command that calls the API; each of `examples` is without `outreach`. */
export const clientCommand = (name: string, description: string, help: Help): Command =>
  fileCommand(name, description, help).option(
    '--json',
    "the API's data as one JSON document on stdout",
  );

/** The same, where what it writes is a file that the API gives. */
export const fileCommand = (name: string, description: string, help: Help): Command =>
  withLogin(new Command(name)).description(description).addHelpText('after', helpText(help));

interface Help {
  more?: string;
  examples: readonly string[];
}

/** The same for a group, which has no options. */
export const clientGroup = (
  name: string,
  description: string,
  examples: readonly string[],
): Command =>
  new Command(name).description(description).addHelpText('after', examplesText(examples));

export const helpText = ({ more, examples }: Help): string =>
  [...(more === undefined ? [] : [`\n${more}`]), CLIENT_EXIT_CODES, examplesText(examples)].join(
    '\n',
  );

const examplesText = (examples: readonly string[]): string =>
  [
    examples.length === 1 ? '\nExample:' : '\nExamples:',
    ...examples.map((example) => `  $ outreach ${example}`),
  ].join('\n');

/** Adds `--yes` to a command that asks first. */
export const withYes = (command: Command): Command =>
  command.option('--yes', 'do it without asking');

/** Shows what would happen, and goes on only with a yes of a person, or `--yes`. */
export async function confirm(io: Io, summary: string, { yes }: { yes?: boolean }): Promise<void> {
  for (const line of summary.split('\n')) io.err(printable(line));
  if (yes) return;
  if (!io.input?.isTerminal) {
    throw new CommandEnd(
      EXIT.usage,
      'Nothing was done: nobody can be asked here, so it wants --yes.',
    );
  }
  const answer = await io.input.ask('Go on? [y/N] ');
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new CommandEnd(EXIT.failed, 'Nothing was done.');
}
