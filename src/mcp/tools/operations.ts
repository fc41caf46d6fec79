/** Long work: waiting for it with progress, seeing what is under way, stopping it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Outreach } from '../../../clients/typescript/src/index.ts';
import { COUNTS, JOB_KINDS, readJob, type Job, type JobState } from '../jobs.ts';
import { byNumber, listOf, pageOf, paging } from '../lists.ts';
import { ToolRefusal } from '../refusal.ts';
import { READS, SETS, tool, type ToolCall } from '../tool.ts';

const jobSchema = z.strictObject({
  kind: z.enum(JOB_KINDS),
  id: z.union([z.int(), z.string()]).describe('Of the thing; of a checkout the sessionId'),
  until: z
    .strictObject(Object.fromEntries(COUNTS.map((name) => [name, z.int().min(0).optional()])))
    .optional()
    .describe('Of a campaign: counts that are to be reached. Default: until it is completed'),
});

/** Between two questions: quick at first, then with regard to the limit of requests. */
const FIRST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 10;

const waitFor = tool({
  name: 'wait_for',
  title: 'Wait for long work',
  description:
    'Waits until all of the jobs are done or stuck, at most `seconds`, and tells how far each is; sends progress notifications meanwhile. When `isOver` is false, call it again: the work goes on in any case.',
  annotations: READS,
  input: z.strictObject({
    jobs: z.array(jobSchema).min(1).max(10),
    seconds: z.int().min(1).max(600).default(45).describe('Less than the caller’s own time limit'),
  }),
  output: z.object({
    isOver: z.boolean().describe('Every job is done or stuck'),
    jobs: z.array(
      z.object({
        kind: z.enum(JOB_KINDS),
        id: z.union([z.int(), z.string()]),
        state: z.string(),
        isDone: z.boolean(),
        isStuck: z.boolean().describe('Failed, paused or waiting for a person: see message'),
        percent: z.number(),
        message: z.string(),
      }),
    ),
  }),
  async run({ jobs, seconds }, call) {
    const end = Date.now() + seconds * 1_000;
    let pauseSeconds = FIRST_PAUSE_SECONDS;
    for (;;) {
      const states = await look(call, jobs);
      const isOver = states.every(({ isDone, isStuck }) => isDone || isStuck);
      const left = end - Date.now();
      if (isOver || left <= 0) return { isOver, jobs: states };
      await sleep(Math.min(pauseSeconds * 1_000, left), undefined, { signal: call.signal });
      pauseSeconds = Math.min(pauseSeconds * 1.3, LONGEST_PAUSE_SECONDS);
    }
  },
});

async function look({ outreach, report }: ToolCall, jobs: readonly Job[]): Promise<JobState[]> {
  const states = await Promise.all(jobs.map((job) => readJob(outreach, job)));
  report({
    done: states.reduce((sum, { percent }) => sum + percent, 0),
    total: 100 * states.length,
    message: states.map(({ kind, id, message }) => `${kind} ${id}: ${message}`).join('. '),
  });
  return states;
}

const listOperations = tool({
  name: 'list_operations',
  title: 'List long work',
  description: 'Lists what is under way, newest first, and why something waits.',
  annotations: READS,
  input: z.strictObject({
    state: z
      .enum(['pending', 'running', 'paused', 'blocked', 'compensating', 'completed', 'failed'])
      .optional(),
    ...paging,
  }),
  output: listOf(
    z.object({
      id: z.int(),
      kind: z.string(),
      resource: z.object({ type: z.string(), id: z.int() }),
      state: z.string(),
      step: z.string().nullable(),
      message: z.string(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      actions: z.array(z.string()),
      createdAt: z.string(),
    }),
  ),
  run: async ({ state, ...input }, { outreach }) =>
    pageOf(await outreach.operations.list({ ...byNumber(input), state }), (one) => one),
});

/**
 * What may be asked of each: what stays harmless. To resume sends mail or asks data providers again (start_campaign,
 * start_warmup and discover_leads do it), to stop a warm-up lets more cold mail go, to cancel a provisioning leaves a
 * domain that was paid.
 */
const ACTIONS = {
  discovery: ['pause', 'cancel'],
  map_run: ['cancel'],
  lead_import: ['cancel'],
  mailbox_import: ['cancel'],
  campaign: ['pause'],
  warmup: ['pause'],
  scheduled_reply: ['cancel'],
} as const;

const controlInputs = Object.entries(ACTIONS).map(
  ([kind, actions]) => `${kind}: ${actions.join(', ')}`,
);

const controlJob = tool({
  name: 'control_job',
  title: 'Pause or cancel long work',
  description: `Takes effect within seconds. To cancel is for good; what was found stays. ${controlInputs.join('; ')}. What is paused goes on by discover_leads, start_campaign, start_warmup. The id of a warmup is that of its mailbox, the one of a scheduled_reply is that of its message (list_inbox with \`scheduled\`); what has left stays sent.`,
  annotations: { ...SETS, destructiveHint: true },
  input: z.strictObject({
    kind: z.enum(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]),
    id: z.int(),
    action: z.enum(['pause', 'cancel']),
  }),
  output: z.object({ state: z.string() }),
  async run({ kind, id, action }, { outreach }) {
    const does = doers(outreach)[`${kind}.${action}`];
    if (!does) {
      throw new ToolRefusal(`A ${kind} knows ${ACTIONS[kind].join(', ')}`, {
        code: 'VALIDATION_ERROR',
        next: 'Choose one of these actions.',
      });
    }
    const { status, state } = (await does({ id })) as { status?: string; state?: string };
    return { state: status ?? state ?? 'unknown' };
  },
});

type Doer = (input: { id: number }) => Promise<object>;

/** By kind and action; those of `ACTIONS`. */
const doers = ({
  leadProcesses,
  mapsRuns,
  leadImports,
  mailboxImports,
  campaigns,
  warmup,
  inbox,
}: Outreach): Readonly<Record<string, Doer | undefined>> => ({
  'discovery.pause': (input) => leadProcesses.pause(input),
  'discovery.cancel': (input) => leadProcesses.cancel(input),
  'map_run.cancel': (input) => mapsRuns.cancel(input),
  'lead_import.cancel': (input) => leadImports.cancel(input),
  'mailbox_import.cancel': (input) => mailboxImports.cancel(input),
  'campaign.pause': (input) => campaigns.pause(input),
  'warmup.pause': (input) => warmup.pause(input),
  'scheduled_reply.cancel': async (input) => ({ ...(await inbox.cancel(input)).delivery }),
});

export const operationTools = [waitFor, listOperations, controlJob];
