/** `outreach replay`: would the workflows of this build go on with what is under way? */
import { Command } from 'commander';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  positive,
  withConnectionOptions,
  withOperatorConnections,
  type ConnectionOptions,
} from './operator-connections.ts';
import type { Replayed } from '../temporal/replay-histories.ts';

interface Options extends ConnectionOptions {
  sample: number;
  closedHours: number;
  bundle?: string;
}

/** A line of progress for so many replays. */
const TOLD_EVERY = 50;

export const replayCommand = (io: Io): Command =>
  withConnectionOptions(new Command('replay'))
    .description('Replays what is under way in the namespace with the workflows of this build.')
    .option(
      '--sample <n>',
      'open runs of each workflow type, and as many closed ones',
      positive,
      50,
    )
    .option('--closed-hours <n>', 'closed runs are taken from this long', positive, 24)
    .option('--bundle <file>', "another build's workflow-bundle.js in place of this one's")
    .addHelpText(
      'after',
      `
Run it with the next version, before its workers start: a history that does not replay is a run that would stop at
its next task. Reads from Temporal only; nothing that runs is touched. Needs ENCRYPTION_KEYS, as the workers do.
Ends with 5 where a history does not fit.
${EXIT_CODES}

Examples:
  $ outreach replay
  $ outreach replay --sample 200 --closed-hours 72 --json | jq '.failed[].workflowId'`,
    )
    .action((options: Options) => replay(io, options));

async function replay(io: Io, options: Options): Promise<void> {
  const { sample, closedHours, bundle } = options;
  // The native core of a worker is loaded for this command alone.
  const { replayRuns, sampleRuns } = await import('../temporal/replay-histories.ts');
  const { workflowBundle } = await import('../temporal/workflow-bundle.ts');
  const replayed: Replayed[] = [];
  const listed = await withOperatorConnections(io, options, async ({ temporal, dataConverter }) => {
    const closedSince = new Date(Date.now() - closedHours * 3_600_000);
    const found = await sampleRuns(temporal, { sample, closedSince });
    const build = {
      workflowBundle: bundle === undefined ? await workflowBundle(false) : { codePath: bundle },
      ...(dataConverter && { dataConverter }),
    };
    for await (const one of replayRuns(temporal, found.runs, build)) {
      replayed.push(one);
      if (replayed.length % TOLD_EVERY === 0) {
        io.err(`${replayed.length} of ${found.runs.length} replayed`);
      }
    }
    return found.listed;
  });
  const failed = replayed.filter(({ error }) => error !== null);
  if (options.json) printJson(io, { listed, replayed: replayed.length, failed });
  else print(io, replayed, listed);
  if (failed.length > 0) {
    const words = `${failed.length} of ${replayed.length} histories do not fit this build.`;
    throw new CommandEnd(EXIT.attention, words);
  }
}

function print(io: Io, replayed: readonly Replayed[], listed: number): void {
  const types = [...new Set(replayed.map(({ type }) => type))].toSorted();
  const count = (type: string, is: (one: Replayed) => boolean) =>
    replayed.filter((one) => one.type === type && is(one)).length;
  printTable(
    io,
    ['WORKFLOW', 'OPEN', 'CLOSED', 'DO NOT FIT'],
    types.map((type) => [
      type,
      count(type, ({ isOpen }) => isOpen),
      count(type, ({ isOpen }) => !isOpen),
      count(type, ({ error }) => error !== null),
    ]),
    'Nothing runs in this namespace.',
  );
  io.out(`${replayed.length} replayed of ${listed} runs.`);
  for (const { workflowId, runId, error } of replayed) {
    if (error !== null) io.out(`${workflowId} (${runId}): ${error}`);
  }
}
