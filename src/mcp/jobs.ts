/** Long work of every kind as one shape: how far it is, whether it is over, what it waits for. */
import type { Outreach } from '../../clients/typescript/src/index.ts';

export const JOB_KINDS = [
  'cluster',
  'operation',
  'discovery',
  'map_run',
  'lead_import',
  'mailbox_import',
  'placement_test',
  'checkout',
  'campaign',
] as const;

/** Counts of a campaign that may be waited for. */
export const COUNTS = [
  'contacted',
  'sent',
  'replied',
  'autoReplied',
  'bounced',
  'unsubscribed',
] as const;
type Counts = Partial<Record<(typeof COUNTS)[number], number | undefined>>;

export interface Job {
  kind: (typeof JOB_KINDS)[number];
  id: string | number;
  /** Of a campaign. */
  until?: Counts | undefined;
}

export interface JobState {
  kind: Job['kind'];
  id: string | number;
  /** In the words of the API. */
  state: string;
  isDone: boolean;
  /** It will not go on by itself: it failed, is paused, or a person has to cure something. */
  isStuck: boolean;
  percent: number;
  message: string;
}

type Facts = Omit<JobState, 'kind' | 'id'>;

/** Reads how far a job is. */
export async function readJob(outreach: Outreach, job: Job): Promise<JobState> {
  const { kind, id } = job;
  return { kind, id, ...(await READERS[kind](outreach, job)) };
}

const READERS: Record<Job['kind'], (outreach: Outreach, job: Job) => Promise<Facts>> = {
  async cluster(outreach, { id }) {
    const { status, provisioning } = await outreach.clusters.read({ id: Number(id) });
    const { completedSteps, totalSteps, state, message, error } = provisioning;
    return {
      state: state === 'blocked' ? state : status,
      isDone: status === 'active',
      isStuck: state === 'blocked' || ['failed', 'deleting', 'deleted'].includes(status),
      percent: status === 'active' ? 100 : share(completedSteps, totalSteps),
      message: error?.message ?? message,
    };
  },

  async operation(outreach, { id }) {
    const { state, steps, message, summary, error } = await outreach.operations.read({
      id: Number(id),
    });
    const over = steps.filter(({ state: one }) => one === 'completed' || one === 'skipped').length;
    return {
      state,
      isDone: state === 'completed',
      isStuck: ['blocked', 'failed', 'paused'].includes(state),
      percent: state === 'completed' ? 100 : share(over, steps.length),
      message: error?.message ?? (message || summary),
    };
  },

  async discovery(outreach, { id }) {
    const found = await outreach.leadProcesses.read({ id: Number(id) });
    const { status, progressPercent, foundLeads, processedLeads, error } = found;
    const counted = `${foundLeads} people found, ${processedLeads} looked at`;
    return { ...byStatus(status), percent: progressPercent, message: error?.message ?? counted };
  },

  async map_run(outreach, { id }) {
    const run = await outreach.mapsRuns.read({ id: Number(id) });
    const { status, savedItems, enrichedItems, failedItems, statusMessage } = run;
    const read = share(enrichedItems + failedItems, savedItems);
    const percent = { queued: 0, running: 20, enriching: 20 + 0.8 * read }[status as string] ?? 100;
    const message = `${savedItems} places, ${enrichedItems} websites read. ${statusMessage}`;
    return { ...byStatus(status), percent, message };
  },

  async lead_import(outreach, { id }) {
    const found = await outreach.leadImports.read({ id: Number(id) });
    const { status, progressPercent: percent, message, error } = found;
    return { ...byStatus(status), percent, message: error?.message ?? message };
  },

  async mailbox_import(outreach, { id }) {
    const found = await outreach.mailboxImports.read({ id: Number(id) });
    const { status, progressPercent: percent, message, error } = found;
    return { ...byStatus(status), percent, message: error?.message ?? message };
  },

  async placement_test(outreach, { id }) {
    const test = await outreach.placementTests.read({ id: Number(id) });
    const { status, verdict, providers, seeds, waiting, error } = test;
    const landed = providers.map(
      ({ provider, inbox, spam, other, missing, failed }) =>
        `${provider}: ${inbox} inbox, ${spam} spam, ${other} elsewhere, ${missing} missing, ${failed} unknown`,
    );
    const said = verdict === null ? landed : [`${verdict}`, ...landed];
    return {
      ...byStatus(status),
      percent: share(seeds.length - waiting, seeds.length),
      message: error?.message ?? said.join('; '),
    };
  },

  async checkout(outreach, { id }) {
    const session = await outreach.wallet.verify({ body: { sessionId: String(id) } });
    const { status, credited, paymentStatus } = session;
    return {
      state: credited ? 'credited' : status,
      isDone: credited,
      isStuck: status === 'expired',
      percent: credited ? 100 : 0,
      message: credited ? 'The money is in the wallet' : `The page is ${status}, ${paymentStatus}`,
    };
  },

  async campaign(outreach, { id, until = {} }) {
    const { status, pauseReason, stats } = await outreach.campaigns.read({ id: Number(id) });
    const wanted = COUNTS.flatMap((name) => {
      const most = until[name];
      return most === undefined ? [] : [{ name, most, now: Math.min(most, stats[name]) }];
    });
    const sum = (field: 'most' | 'now') => wanted.reduce((total, one) => total + one[field], 0);
    const isReached = wanted.length > 0 && sum('now') === sum('most');
    const isDone = isReached || status === 'completed';
    return {
      state: status,
      isDone,
      isStuck: ['draft', 'paused', 'cancelled'].includes(status),
      percent: isDone ? 100 : share(sum('now'), sum('most')),
      message: [
        `${stats.contacted} of ${stats.leads} leads written to, ${stats.sent} messages sent`,
        `${stats.replied} replied, ${stats.bounced} bounced, ${stats.unsubscribed} unsubscribed`,
        ...(pauseReason === null ? [] : [`paused: ${pauseReason}`]),
      ].join('; '),
    };
  },
};

const byStatus = (status: string): Pick<Facts, 'state' | 'isDone' | 'isStuck'> => ({
  state: status,
  isDone: status === 'completed',
  isStuck: ['failed', 'cancelled', 'paused'].includes(status),
});

/** Per cent, 0 of nothing. */
const share = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
