/** All commands in one program, and the exit codes of their results. */
import { Command, CommanderError } from 'commander';
import { version } from '../domain/version.ts';
import { addClientCommands } from './client/index.ts';
import { CommandEnd, EXIT, EXIT_CODES, type Io } from './io.ts';

/** Runs one command line (without `node outreach`). Resolves with its exit code, never rejects. */
export async function runCommand(argv: readonly string[], io: Io): Promise<number> {
  try {
    const program = await createProgram(io, argv);
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    io.err(error instanceof Error ? error.message : String(error));
    return error instanceof CommandEnd ? error.exitCode : EXIT.failed;
  }
}

/** `argv` decides whether it has what operators need: see below. */
export async function createProgram(io: Io, argv: readonly string[]): Promise<Command> {
  const program = new Command('outreach')
    .description('Uses an Outreach installation by its API, and operates one.')
    .version(version)
    .addHelpText(
      'after',
      `${EXIT_CODES}
  A client's commands end with 0, 1 or 2.

Commands of clients call the API: \`outreach login\` stores the key for them. Those of operators read DATABASE_URL,
TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS and TEMPORAL_API_KEY of the environment. Where nothing of
it is set, both take the file of a running world (--world).

Examples:
  $ outreach login --url https://outreach.example.com
  $ outreach clusters create my-company-mail.com --watch
  $ outreach ops list --blocked
  $ outreach reconcile --help`,
    );
  addClientCommands(program, io);
  // What operators need takes a second to load: a client does not wait for it.
  if (!isComplete(program, argv)) (await import('./operators.ts')).addOperatorCommands(program, io);
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError('(--help shows examples)')
      .configureOutput({
        writeOut: (text) => io.out(text.trimEnd()),
        writeErr: (text) => io.err(text.trimEnd()),
      });
  }
  return program;
}

/** Whether the words name a command that is there already, to its end. */
function isComplete(command: Command, [word, ...rest]: readonly string[]): boolean {
  if (command.commands.length === 0) return true;
  const next = command.commands.find((one) => one.name() === word);
  return next !== undefined && isComplete(next, rest);
}

/** The command and all below it. */
export const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];
