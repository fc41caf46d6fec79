/** `outreach shards`: who works on campaigns, inboxes and warm-ups, what is late, and what fails. */
import { Command } from 'commander';
import { readShards } from '../db/shards/shard-view.ts';
import { EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  withConnectionOptions,
  withOperatorConnections,
  type ConnectionOptions,
} from './operator-connections.ts';

export const shardsCommand = (io: Io): Command =>
  withConnectionOptions(new Command('shards'))
    .description(
      'Shows which worker works on which share of campaigns, inboxes and warm-ups, and what it does for all.',
    )
    .addHelpText(
      'after',
      `\nDUE are those that wait for a session (inboxes have one all the time), LATE is for how long the first of them does. A worker is named pid@host, as in Temporal's UI. Why those that are not due rest is told by their sessions. Jobs that fail are listed with their reason; \`outreach ops show\` tells both of one.
${EXIT_CODES}\n\nExamples:\n  $ outreach shards\n  $ outreach shards --json | jq '.failing[].resource'`,
    )
    .action(async (options: ConnectionOptions) => {
      const view = await withOperatorConnections(io, options, ({ db }) => readShards(db));
      if (options.json) return printJson(io, view);
      const workers = view.workers.map((one) => [one.worker, one.shards]);
      printTable(io, ['WORKER', 'SHARDS'], workers, 'No worker has a shard.');
      if (view.freeShards > 0) io.out(`${view.freeShards} shards have no worker.`);
      io.out('');
      const standing = view.standing.map((one) => [one.name, one.worker ?? 'none']);
      printTable(io, ['STANDING WORK', 'WORKER'], standing, '');
      io.out('');
      const jobs = view.jobs.map((one) => [
        one.type,
        one.count,
        one.due,
        `${Math.round(one.latestSeconds)} s`,
        one.failing,
      ]);
      printTable(io, ['JOBS', 'ALL', 'DUE', 'LATE', 'FAILING'], jobs, 'No job is in a shard.');
      if (view.resting.length > 0) {
        io.out('');
        const resting = view.resting.map((one) => [
          one.type,
          one.count,
          one.until.toISOString(),
          one.note,
        ]);
        printTable(io, ['RESTING', 'COUNT', 'FIRST UNTIL', 'WHY'], resting, '');
      }
      if (view.failing.length === 0) return;
      io.out('');
      const failing = view.failing.map((one) => [
        one.operationId,
        one.resource,
        one.failures,
        one.error ?? '',
      ]);
      printTable(io, ['OPERATION', 'RESOURCE', 'FAILURES', 'REASON'], failing, '');
    });
