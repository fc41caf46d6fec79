/** `outreach reconcile`: compares vendor records with ours, now. */
import { Command } from 'commander';
import { reconcileBooks, type Reconciled } from '../services/operations/ops-reconcile.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, since, type Io } from './io.ts';
import {
  withOperatorConnections,
  withActor,
  withConnectionOptions,
  wordsOf,
  type ConnectionOptions,
} from './operator-connections.ts';

type Options = ConnectionOptions & {
  heal?: boolean;
  subject?: string;
  actor: string;
  reason: string;
};

export const reconcileCommand = (io: Io): Command =>
  withActor(withConnectionOptions(new Command('reconcile')))
    .description("Compares the vendors' books with ours, both ways, and shows what differs.")
    .option('--heal', 'heal what needs no look first, as the Schedule does')
    .option('--subject <subject>', 'with --heal: heal this one as well, which you have looked at')
    .option('--reason <text>', 'why; kept in the log of what is healed', 'outreach reconcile')
    .addHelpText(
      'after',
      `
A worker compares; a Schedule asks for the same every 15 minutes (for vendors that agreed
at the last time every 30) and heals what is safe.
What each finding means and what to do about it stands in docs/runbook.md.

Healed: an orphan server is destroyed, money that nothing needs is released, a row without a
workflow gets one. Without --heal it only reports. Nothing that an unfinished operation may own is
ever touched, and what is younger than the grace time is not looked at. A server that was up may
hold somebody's mail: it is destroyed only where --subject names it.
${EXIT_CODES}

Examples:
  $ outreach reconcile
  $ outreach reconcile --heal --subject hetzner/outreach-7-1 --reason 'looked at it, nothing is on it'
  $ outreach reconcile --json | jq '.open[].kind'`,
    )
    .action(async (options: Options) => {
      const { heal, subject } = options;
      if (subject !== undefined && !heal) {
        throw new CommandEnd(EXIT.usage, '--subject says what to heal: it needs --heal.');
      }
      const input = {
        heal: heal ? ('safe' as const) : ('none' as const),
        vendors: 'all' as const,
        ...(subject !== undefined && { subject }),
        ...wordsOf(options),
      };
      const result = await withOperatorConnections(io, options, (connections) =>
        reconcileBooks(connections, input),
      );
      if (options.json) printJson(io, result);
      else print(io, result);
      // Not a failure: it may have been healed before.
      if (!knows(result, subject)) io.err(`Nothing was found about ${subject}.`);
      endWith(result);
    });

function print(io: Io, { open, closed, books }: Reconciled): void {
  printTable(
    io,
    ['BOOK', 'COMPARED', 'SUCCEEDED', 'ERROR'],
    books.map((one) => [one.book, since(one.checkedAt), since(one.succeededAt), one.error]),
    'No book was ever compared.',
  );
  io.out('');
  for (const { kind, subject, state, reason } of closed) {
    io.out(`${state}: ${kind} ${subject} (${reason ?? ''})`);
  }
  printTable(
    io,
    ['FINDING', 'SUBJECT', 'OPERATION', 'SINCE', 'DETAIL'],
    open.map((one) => [
      one.kind,
      one.subject,
      one.operationId,
      since(one.foundAt),
      JSON.stringify(one.detail),
    ]),
    'The books agree.',
  );
}

const knows = ({ open, closed }: Reconciled, subject: string | undefined): boolean =>
  subject === undefined || [...open, ...closed].some((one) => one.subject === subject);

function endWith({ isDone, open, books }: Reconciled): void {
  if (!isDone) {
    throw new CommandEnd(EXIT.unconfirmed, 'It is still being compared: is a worker running?');
  }
  const unread = books.filter(({ error }) => error !== null).map(({ book }) => book);
  const words = [
    ...(open.length > 0 ? [`${open.length} differ`] : []),
    ...(unread.length > 0 ? [`not readable: ${unread.join(', ')}`] : []),
  ];
  if (words.length > 0) throw new CommandEnd(EXIT.attention, `${words.join('; ')}.`);
}
