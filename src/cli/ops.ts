/** `outreach ops`: lists blocked operations and answers them. docs/workflow-rules.md#blocked-steps. */
import { Argument, Command, Option } from 'commander';
import type { OperationLine } from '../db/operations/operator-views.ts';
import { RESOLUTION_ACTIONS, type ResolutionAction } from '../domain/operations/operations.ts';
import { listOperations, resolveOperation, showOperation } from '../services/operations/ops.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, since, type Io } from './io.ts';
import { printReport } from './operation-report.ts';
import { causeOption, providerOption, retryAllCommand, stepOption } from './retry-all.ts';
import {
  withOperatorConnections,
  positive,
  withConnectionOptions,
  withWords,
  wordsOf,
  type ConnectionOptions,
} from './operator-connections.ts';

interface ListOptions extends ConnectionOptions {
  blocked?: boolean;
  step?: string;
  kind?: string;
  provider?: string;
  cause?: string;
  limit: number;
}

type Answer = ConnectionOptions & { reason: string; actor: string };

export const opsCommand = (io: Io): Command =>
  new Command('ops')
    .description('Shows operations and answers those that wait for a person.')
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(resolveCommand(io))
    .addCommand(retryAllCommand(io))
    .addHelpText(
      'after',
      `
Examples:
  $ outreach ops list --blocked
  $ outreach ops show 17
  $ outreach ops resolve 17 --action retry --reason 'the token is renewed'`,
    );

const operationId = () => new Argument('<id>', 'number of the operation').argParser(positive);

const listCommand = (io: Io) =>
  withConnectionOptions(new Command('list'))
    .description('Lists unfinished operations, those that wait longest first.')
    .option('--blocked', 'only those that wait for a person')
    .addOption(stepOption('only those at this step'))
    .option('--kind <name>', 'only this flow, such as provisionCluster')
    .addOption(providerOption('only those that this vendor has to do with'))
    .addOption(causeOption('only those with this error, or that wait for this'))
    .option('--limit <number>', 'most lines', positive, 100)
    .addHelpText(
      'after',
      `${EXIT_CODES}

Examples:
  $ outreach ops list --blocked
  $ outreach ops list --blocked --step server_create --provider hetzner
  $ outreach ops list --cause PROVIDER_AUTH
  $ outreach ops list --kind provisionCluster --json | jq '.[].id'`,
    )
    .action(async ({ json, world, ...filter }: ListOptions) => {
      const lines = await withOperatorConnections(io, { world }, (connections) =>
        listOperations(connections, filter),
      );
      if (json) return printJson(io, lines);
      const columns = ['ID', 'RESOURCE', 'KIND', 'STATE', 'STEP', 'VENDOR', 'WAITS', 'WHY'];
      const rows = lines.map((line) => [
        line.id,
        line.resource,
        line.kind,
        line.state,
        line.step,
        line.vendors.join(', ') || null,
        since(line.blockedAt),
        troubleOf(line),
      ]);
      printTable(io, columns, rows, 'Nothing.');
    });

/** The error first, then what is not done, then what it waits for or does. */
function troubleOf(line: OperationLine): string | null {
  const { errorCode, errorMessage, unreadMailboxes, waitsFor } = line;
  if (errorCode !== null) return `${errorCode}: ${errorMessage ?? ''}`;
  if (unreadMailboxes === 0) return waitsFor;
  return unreadMailboxes === 1
    ? '1 mailbox is not read'
    : `${unreadMailboxes} mailboxes are not read`;
}

const showCommand = (io: Io) =>
  withConnectionOptions(new Command('show'))
    .description('Shows one operation: its steps, what was asked of vendors, its log.')
    .addArgument(operationId())
    .addHelpText(
      'after',
      `${EXIT_CODES}

Examples:
  $ outreach ops show 17
  $ outreach ops show 17 --json | jq '.log'`,
    )
    .action(async (id: number, options: ConnectionOptions) => {
      const report = await withOperatorConnections(io, options, (connections) =>
        showOperation(connections, id),
      );
      if (options.json) printJson(io, report);
      else printReport(io, report);
    });

const resolveCommand = (io: Io) =>
  withWords(withConnectionOptions(new Command('resolve')))
    .description('Answers the step at which an operation waits. A second answer is refused.')
    .addArgument(operationId())
    .addOption(
      new Option('--action <action>', 'what to do with the step')
        .choices(RESOLUTION_ACTIONS)
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      `
Actions:
  retry       run the step again; it looks first for what an earlier run has made
  adopt       the same, when a person has finished the step at the vendor: it is found and adopted
  skip        go on without the step, where that is possible
  compensate  give up: everything is undone and refunded, a bought domain stays the user's
${EXIT_CODES}

Examples:
  $ outreach ops resolve 17 --action retry --reason 'the token is renewed'
  $ outreach ops resolve 17 --action compensate --reason 'asked for by the client' --actor ann`,
    )
    .action(async (id: number, options: Answer & { action: ResolutionAction }) => {
      const { action, json } = options;
      const answer = { action, ...wordsOf(options) };
      const { step, taken } = await withOperatorConnections(io, options, (connections) =>
        resolveOperation(connections, id, answer),
      );
      if (json) printJson(io, { operation: id, step, action, taken });
      else if (taken) io.out(`Operation ${id}: ${action} at ${step}, and it goes on.`);
      if (taken) return;
      const message = `Operation ${id} has the answer, but no worker has taken it up yet: is one running?`;
      throw new CommandEnd(EXIT.unconfirmed, message);
    });
