/** The current state of a campaign, and its results by day and by message. Choice 8. */
import { DAY_MS } from '../../domain/day.ts';
import type { Context } from '../../context.ts';
import { countCampaignLeads, firstDueAt, isRemoved } from '../../db/campaigns/campaign-leads.ts';
import { campaignWindowOf, type Campaign } from '../../db/campaigns/campaigns.ts';
import {
  readDailyCounts,
  readStats,
  readStepCounts,
  type CampaignStats,
  type Counts,
} from '../../db/campaigns/campaign-stats.ts';
import { listRetiredTexts, loadSequence } from '../../db/campaigns/campaign-steps.ts';
import { countInterested, listStepTests, type StepTest } from '../../db/campaigns/step-tests.ts';
import type { NewLeadQuota } from '../../domain/campaigns/new-leads.ts';
import { isOpenForAnybody, nextOpenTime } from '../../domain/sending/recipient-window.ts';
import { windowAt, type OpenWindow } from '../../domain/sending/send-window.ts';
import type { CampaignStep } from '../../domain/campaigns/campaigns.ts';
import { textsOf } from '../../domain/campaigns/step-texts.ts';
import type {
  Decider,
  WinnerFigures,
  WinnerMetric,
} from '../../domain/campaigns/variant-winner.ts';
import { readMailboxStandings, type MailboxStanding } from './campaign-mailboxes.ts';
import { compareTexts, type TextComparison } from './campaign-winners.ts';
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
  const [waiting, firstAt, stats] = await Promise.all([
    countCampaignLeads(db, id, ['queued']),
    firstDueAt(db, id, from === undefined ? now : from),
    readStats(db, [id]),
  ]);
  // Who has a place of today waits for no day.
  const dueAt = from && newLeads.retryAt ? earlier(firstAt, newLeads.retryAt) : firstAt;
  const mailboxes = standings.filter(({ mailbox }) => !isRemoved(mailbox));
  const free = mailboxes
    .filter(({ outReason }) => outReason === null)
    .map(({ nextFreeAt }) => nextFreeAt.getTime());
  const isWaiting = campaign.status === 'active' && dueAt !== null && free.length > 0;
  const own = campaignWindowOf(campaign);
  const window = windowAt(own.window, now);
  const earliest = new Date(Math.max(now.getTime(), dueAt?.getTime() ?? 0, Math.min(...free)));
  return {
    campaign,
    window,
    isWindowOpen: isOpenForAnybody(own, now),
    nextSendAt: isWaiting ? nextOpenTime(own, earliest) : null,
    mailboxes,
    waiting,
    newLeads,
    stats: stats.get(id)!,
  };
}

const earlier = (one: Date | null, other: Date): Date =>
  one === null || other < one ? other : one;

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
  /** The text that alone is used; null: nothing is decided. */
  winner: StepWinner | null;
  variants: (Counts & TextAnalytics)[];
}

interface StepWinner {
  variant: number | null;
  decidedBy: Decider;
  decidedAt: Date;
  figures: WinnerFigures | null;
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
  interested: number;
  comparison: TextComparison | null;
}

/** Every message of the sequence, and messages sent before it was shortened, with each of its texts. */
export async function readStepAnalytics(
  context: Pick<Context, 'db'>,
  { userId, id }: Subject,
): Promise<StepAnalytics[]> {
  const { auto_winner: setting } = await getUserCampaign(context, userId, id);
  const [rows, retired, tests, interests] = await Promise.all([
    readStepCounts(context.db, id),
    listRetiredTexts(context.db, id),
    listStepTests(context.db, id),
    countInterested(context.db, id),
  ]);
  const counted = Math.max(0, ...rows.map((row) => row.step));
  const steps = await loadSequence(context.db, id, { atLeast: counted });
  return steps.map((step) => {
    const { position } = step;
    const own = rows.filter((row) => row.step === position);
    const interested = (variant: number) =>
      interests.find((row) => row.step === position && row.variant === variant)?.interested ?? 0;
    const known = [...textsOf(step), ...(retired.get(position) ?? [])];
    const last = Math.max(...[...known, ...own.map(numberOfRow)].map(({ number }) => number));
    const all = Array.from({ length: last + 1 }, (_, variant) => ({
      ...(own.find((row) => row.variant === variant) ?? NONE),
      variant,
      interested: interested(variant),
    }));
    const compared = comparisonsOf(step, all, setting?.metric ?? 'replied');
    const variants = all.map((one) => {
      const text = known.find(({ number }) => number === one.variant);
      return {
        ...one,
        isCurrent: isUsed(step, one.variant),
        subjectTemplate: text?.subjectTemplate ?? null,
        bodyTemplate: text?.bodyTemplate ?? null,
        comparison: compared.get(one.variant) ?? null,
      };
    });
    return { ...own.reduce(plus, NONE), step, variants, winner: winnerOf(tests.get(position)) };
  });
}

const isUsed = (step: CampaignStep, variant: number): boolean =>
  textsOf(step).some(({ number }) => number === variant) &&
  (step.winner === undefined || step.winner === null || step.winner === variant);

type Counted = Pick<Counts, 'sent' | 'replied'> & { variant: number; interested: number };

/** By number, of the texts that the step has now. */
function comparisonsOf(
  step: CampaignStep,
  all: readonly Counted[],
  metric: WinnerMetric,
): Map<number, TextComparison | null> {
  const texts = textsOf(step).map(({ number }) => all[number]!);
  const figures = texts.map((one) => ({ sent: one.sent, successes: one[metric] }));
  const compared = compareTexts(metric, figures);
  return new Map(texts.map(({ variant }, at) => [variant, compared[at]!]));
}

const winnerOf = (test: StepTest | undefined): StepWinner | null =>
  test && test.decided_by && test.decided_at
    ? {
        variant: test.winner,
        decidedBy: test.decided_by,
        decidedAt: test.decided_at,
        figures: test.figures,
      }
    : null;

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
