/** The current state of a campaign, and its results by day and by message. Choice 8. */
import { DAY_MS } from '../../domain/day.ts';
import type { Context } from '../../context.ts';
import { countCampaignLeads, firstDueAt, isRemoved } from '../../db/campaigns/campaign-leads.ts';
import { windowOf, type Campaign } from '../../db/campaigns/campaigns.ts';
import {
  readDailyCounts,
  readStats,
  readStepCounts,
  type CampaignStats,
  type Counts,
} from '../../db/campaigns/campaign-stats.ts';
import { listRetiredTexts, loadSequence } from '../../db/campaigns/campaign-steps.ts';
import type { NewLeadQuota } from '../../domain/campaigns/new-leads.ts';
import { windowAt, type OpenWindow } from '../../domain/sending/send-window.ts';
import type { CampaignStep } from '../../domain/campaigns/campaigns.ts';
import { textsOf } from '../../domain/campaigns/step-texts.ts';
import { readMailboxStandings, type MailboxStanding } from './campaign-mailboxes.ts';
import { getUserCampaign } from './campaigns.ts';
import { newLeadsFrom, readNewLeads } from './new-leads.ts';

export type { CampaignStats, Counts } from '../../db/campaigns/campaign-stats.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock'>;

interface Subject {
  userId: string;
  id: number;
}

export interface SendingStatus {
  campaign: Campaign;
  /** The current window, or the next one. */
  window: OpenWindow;
  isWindowOpen: boolean;
  /** Nothing is sent before; null = nothing is to be sent, or the campaign is not active. */
  nextSendAt: Date | null;
  mailboxes: MailboxStanding[];
  /** Leads that have not got the first message yet. */
  waiting: number;
  newLeads: NewLeadQuota;
  stats: CampaignStats;
}

export async function readSendingStatus(
  context: Needs,
  { userId, id }: Subject,
): Promise<SendingStatus> {
  const { db, clock } = context;
  const campaign = await getUserCampaign(context, userId, id);
  const now = clock.now();
  const standings = await readMailboxStandings(context, id, now);
  const newLeads = await readNewLeads(context, campaign, { mailboxes: standings, now });
  const from = newLeadsFrom(campaign, newLeads);
  const [waiting, dueAt, stats] = await Promise.all([
    countCampaignLeads(db, id, ['queued']),
    firstDueAt(db, id, from === undefined ? now : from),
    readStats(db, [id]),
  ]);
  const mailboxes = standings.filter(({ mailbox }) => !isRemoved(mailbox));
  const free = mailboxes
    .filter(({ outReason }) => outReason === null)
    .map(({ nextFreeAt }) => nextFreeAt.getTime());
  const isWaiting = campaign.status === 'active' && dueAt !== null && free.length > 0;
  const window = windowAt(windowOf(campaign), now);
  const earliest = new Date(Math.max(now.getTime(), dueAt?.getTime() ?? 0, Math.min(...free)));
  return {
    campaign,
    window,
    isWindowOpen: window.from <= now,
    nextSendAt: isWaiting ? laterOf(earliest, windowAt(windowOf(campaign), earliest).from) : null,
    mailboxes,
    waiting,
    newLeads,
    stats: stats.get(id)!,
  };
}

const laterOf = (one: Date, other: Date): Date => (one > other ? one : other);

export async function readAnalytics(
  context: Pick<Context, 'db'>,
  { userId, id }: Subject,
): Promise<CampaignStats> {
  await getUserCampaign(context, userId, id);
  return (await readStats(context.db, [id])).get(id)!;
}

/** Every day of the range, also those on which nothing happened. `YYYY-MM-DD`, UTC. */
export async function readDailyAnalytics(
  context: Pick<Context, 'db'>,
  { userId, id }: Subject,
  range: { from: string; to: string },
): Promise<(Counts & { day: string })[]> {
  await getUserCampaign(context, userId, id);
  const rows = await readDailyCounts(context.db, id, range);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return daysOf(range).map((day) => byDay.get(day) ?? { ...NONE, day });
}

function daysOf({ from, to }: { from: string; to: string }): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

export interface StepAnalytics extends Counts {
  step: CampaignStep;
  variants: (Counts & TextAnalytics)[];
}

interface TextAnalytics {
  /** Number of the variant. */
  variant: number;
  /** A lead that gets the message now may get this text. */
  isCurrent: boolean;
  /** Null: the text is not stored any more, or the message is a reply in its thread. */
  subjectTemplate: string | null;
  /** Null: the text is not stored any more. */
  bodyTemplate: string | null;
}

/** Every message of the sequence, and messages sent before it was shortened, with each of its texts. */
export async function readStepAnalytics(
  context: Pick<Context, 'db'>,
  { userId, id }: Subject,
): Promise<StepAnalytics[]> {
  await getUserCampaign(context, userId, id);
  const [rows, retired] = await Promise.all([
    readStepCounts(context.db, id),
    listRetiredTexts(context.db, id),
  ]);
  const counted = Math.max(0, ...rows.map((row) => row.step));
  const steps = await loadSequence(context.db, id, { atLeast: counted });
  return steps.map((step) => {
    const own = rows.filter((row) => row.step === step.position);
    const current = textsOf(step);
    const known = [...current, ...(retired.get(step.position) ?? [])];
    const last = Math.max(...[...known, ...own.map(numberOfRow)].map(({ number }) => number));
    const variants = Array.from({ length: last + 1 }, (_, variant) => {
      const text = known.find(({ number }) => number === variant);
      return {
        ...(own.find((row) => row.variant === variant) ?? NONE),
        variant,
        isCurrent: current.some(({ number }) => number === variant),
        subjectTemplate: text?.subjectTemplate ?? null,
        bodyTemplate: text?.bodyTemplate ?? null,
      };
    });
    return { ...own.reduce(plus, NONE), step, variants };
  });
}

const numberOfRow = ({ variant }: { variant: number }) => ({ number: variant });

const NONE: Counts = {
  sent: 0,
  failed: 0,
  uncertain: 0,
  opened: 0,
  clicked: 0,
  replied: 0,
  auto_replied: 0,
  bounced: 0,
  unsubscribed: 0,
  complained: 0,
  rejected: 0,
  machine_opened: 0,
  machine_clicked: 0,
};

const plus = (one: Counts, other: Counts): Counts =>
  Object.fromEntries(
    Object.keys(NONE).map((name) => [
      name,
      one[name as keyof Counts] + other[name as keyof Counts],
    ]),
  ) as unknown as Counts;
