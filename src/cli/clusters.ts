/** What operators have of `outreach clusters`; the rest is a client's. Choice 104. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, Command } from 'commander';
import { findClusterOperation } from '../db/operations/operator-views.ts';
import { notFound } from '../domain/errors.ts';
import { watchCluster } from './client/cluster-views.ts';
import { CLIENTS, OPERATORS } from './client/commands.ts';
import { hasLogin, type ClientOptions } from './client/connection.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, WORLD_FILE, type Io } from './io.ts';
import {
  withOperatorConnections,
  positive,
  type OperatorConnections,
} from './operator-connections.ts';
import { smarthostCommand } from './smarthost.ts';

const POLL_MS = 300;

/** Adds to the group of a client's commands what operators have. */
export function addClusterCommands(group: Command, io: Io): void {
  group.commandsGroup(CLIENTS).addCommand(watchCommand(io));
  group.commandsGroup(OPERATORS).addCommand(smarthostCommand(io));
}

type WatchOptions = ClientOptions & { timeout: number };

const watchCommand = (io: Io): Command =>
  new Command('watch')
    .description("Shows a cluster's steps as they go, until it is up, down, or waits.")
    .addArgument(new Argument('<id>', 'number of the cluster').argParser(positive))
    .option('--json', 'one JSON document on stdout, for programs')
    .option('--profile <name>', 'as a client, by this login')
    .option('--world <file>', "as an operator, of a running world's file")
    .option('--timeout <seconds>', 'give up watching after so long', positive, 3_600)
    .addHelpText(
      'after',
      `
Operators and clients have it. It reads Postgres where DATABASE_URL is set or --world is given, and else calls the
API as you are logged in; where you are not, it reads the world that runs here.

For an operator it ends when the operation on the cluster ended (0 or 5) or waits for a person (5). For a client it
ends when the cluster is active (0) or not going to be (1), and --json is the cluster as the API gives it.
${EXIT_CODES}

Examples:
  $ outreach clusters watch 7
  $ outreach clusters watch 7 --timeout 60 --json`,
    )
    .action(async (id: number, options: WatchOptions) => {
      if (await isClients(io, options)) return watchCluster(io, id, options);
      const { world = WORLD_FILE } = options;
      await withOperatorConnections(io, { world }, (connections) =>
        watch(io, connections, id, options),
      );
    });

/** Whose command it is: the one word that both sides have. */
async function isClients(io: Io, { profile, world }: ClientOptions): Promise<boolean> {
  if (profile !== undefined) return true;
  if (world !== undefined || io.environment['DATABASE_URL']) return false;
  return (await hasLogin(io)) || !existsSync(WORLD_FILE);
}

async function watch(
  io: Io,
  { db }: OperatorConnections,
  id: number,
  { json, timeout }: WatchOptions,
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
