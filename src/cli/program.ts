/** All commands in one program, and the exit codes of their results. */
import { Command, CommanderError } from 'commander';
import { version } from '../domain/version.ts';
import { clustersCommand } from './clusters.ts';
import { doctorCommand } from './doctor.ts';
import { CommandEnd, EXIT, EXIT_CODES, type Io } from './io.ts';
import { hostsCommand } from './hosts.ts';
import { keysCommand } from './keys.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { opsCommand } from './ops.ts';
import { reconcileCommand } from './reconcile.ts';
import { replayCommand } from './replay.ts';
import { shardsCommand } from './shards.ts';
import { tokenCommand } from './token.ts';
import { walletCommand } from './wallet.ts';

/** Runs one command line (without `node outreach`). Resolves with its exit code, never rejects. */
export async function runCommand(argv: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    io.err(error instanceof Error ? error.message : String(error));
    return error instanceof CommandEnd ? error.exitCode : EXIT.failed;
  }
}

/** All commands; nothing runs yet. */
export function createProgram(io: Io): Command {
  const program = new Command('outreach')
    .description('Operates an Outreach installation.')
    .version(version)
    .addCommand(opsCommand(io))
    .addCommand(clustersCommand(io))
    .addCommand(walletCommand(io))
    .addCommand(reconcileCommand(io))
    .addCommand(doctorCommand(io))
    .addCommand(hostsCommand(io))
    .addCommand(shardsCommand(io))
    .addCommand(keysCommand(io))
    .addCommand(replayCommand(io))
    .addCommand(migrateCommand(io))
    .addCommand(tokenCommand(io))
    .addCommand(mcpCommand(io))
    .addHelpText(
      'after',
      `${EXIT_CODES}

Commands that look at a running installation read DATABASE_URL, TEMPORAL_ADDRESS,
TEMPORAL_NAMESPACE, TEMPORAL_TLS and TEMPORAL_API_KEY of the environment; where DATABASE_URL is not
set, the file of a running world (--world).

Examples:
  $ outreach ops list --blocked
  $ outreach ops retry-all --provider hetzner --reason 'the token is renewed'
  $ outreach reconcile --help`,
    );
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

/** The command and all below it. */
export const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];
