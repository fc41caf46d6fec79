/** `outreach clusters watch`: the steps of a cluster's operation as they progress. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, Command } from 'commander';
import { findClusterOperation } from '../db/operations/operator-views.ts';
import { notFound } from '../domain/errors.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, type Io } from './io.ts';
import {
  withOperatorConnections,
  positive,
  withConnectionOptions,
  type OperatorConnections,
  type ConnectionOptions,
} from './operator-connections.ts';
import { smarthostCommand } from './smarthost.ts';

const POLL_MS = 300;

export const clustersCommand = (io: Io): Command =>
  new Command('clusters')
    .description('Looks at clusters, and brings their hosts to a changed setting.')
    .addHelpText('after', '\nExample:\n  $ outreach clusters watch 7')
    .addCommand(
      withConnectionOptions(new Command('watch'))
        .description("Shows a cluster's steps as they go, until it is up, down, or waits.")
        .addArgument(new Argument('<id>', 'number of the cluster').argParser(positive))
        .option('--timeout <seconds>', 'give up watching after so long', positive, 3_600)
        .addHelpText(
          'after',
          `
It ends when the operation on the cluster ended (0 or 5) or waits for a person (5).
${EXIT_CODES}

Examples:
  $ outreach clusters watch 7
  $ outreach clusters watch 7 --timeout 60 --json`,
        )
        .action((id: number, options: ConnectionOptions & { timeout: number }) =>
          withOperatorConnections(io, options, (connections) =>
            watch(io, connections, id, options),
          ),
        ),
    )
    .addCommand(smarthostCommand(io));

async function watch(
  io: Io,
  { db }: OperatorConnections,
  id: number,
  { json, timeout }: { json?: boolean; timeout: number },
): Promise<void> {
  const deadline = Date.now() + timeout * 1_000;
  const shown = new Map<string, string>();
  for (;;) {
    const now = await findClusterOperation(db, id);
    if (!now) throw notFound('cluster');
    const { status, state, step, steps, errorCode, errorMessage } = now;
    if (!json) {
      for (const one of steps) {
        if (shown.get(one.name) === one.state || one.state === 'pending') continue;
        shown.set(one.name, one.state);
        io.out(`${new Date().toISOString()}  ${one.name.padEnd(20)}  ${one.state}`);
      }
    }
    const isOver = ['succeeded', 'failed', 'none'].includes(state) || now.blockedAt !== null;
    const isLate = Date.now() >= deadline;
    if (isOver || isLate) {
      if (json) printJson(io, now);
      else io.out(`Cluster ${id} is ${status}, its operation ${now.operationId ?? '-'} ${state}.`);
      if (isOver && ['succeeded', 'none'].includes(state)) return;
      const why = errorCode === null ? '' : `: ${errorCode}: ${errorMessage ?? ''}`;
      if (isOver) throw new CommandEnd(EXIT.attention, `${state} at ${step ?? 'the end'}${why}`);
      throw new CommandEnd(EXIT.unconfirmed, `Still ${state} after ${timeout} s.`);
    }
    await sleep(POLL_MS);
  }
}
