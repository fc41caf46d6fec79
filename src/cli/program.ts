/** All commands in one program, and the exit codes of their results. */
import { Command, CommanderError } from 'commander';
import { version } from '../domain/version.ts';
import { accountCommand } from './client/account.ts';
import { campaignsCommand } from './client/campaigns.ts';
import { CLIENTS, OPERATORS } from './client/commands.ts';
import { domainsCommand } from './client/domains.ts';
import { inboxCommand } from './client/inbox.ts';
import { leadsCommand } from './client/leads.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './client/login.ts';
import { mailboxesCommand } from './client/mailboxes.ts';
import { operationsCommand } from './client/operations.ts';
import { webhooksCommand } from './client/webhooks.ts';
import { clustersCommand } from './clusters.ts';
import { completionCommand } from './completion/command.ts';
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

const clientCommands = (io: Io): Command[] => [
  loginCommand(io),
  logoutCommand(io),
  whoamiCommand(io),
  accountCommand(io),
  leadsCommand(io),
  mailboxesCommand(io),
  domainsCommand(io),
  campaignsCommand(io),
  inboxCommand(io),
  operationsCommand(io),
  webhooksCommand(io),
  mcpCommand(io),
];

const operatorCommands = (io: Io): Command[] => [
  opsCommand(io),
  reconcileCommand(io),
  doctorCommand(io),
  hostsCommand(io),
  shardsCommand(io),
  keysCommand(io),
  replayCommand(io),
  migrateCommand(io),
  tokenCommand(io),
];

function createProgram(io: Io): Command {
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
  add(program, CLIENTS, clientCommands(io));
  add(program, 'Commands of both:', [
    clustersCommand(io),
    walletCommand(io),
    completionCommand(io, program),
  ]);
  add(program, OPERATORS, operatorCommands(io));
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

function add(program: Command, group: string, commands: readonly Command[]): void {
  program.commandsGroup(group);
  for (const command of commands) program.addCommand(command);
}

const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];
