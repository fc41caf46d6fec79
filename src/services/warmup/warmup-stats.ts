/** Statistics of a mailbox's warm-up by day. Choice 28. */
import { DAY_MS } from '../../domain/day.ts';
import type { Context } from '../../context.ts';
import { readRecord, readWarmupDays, type WarmupDayRow } from '../../db/warmup/warmup-records.ts';
import { healthScore, type WarmupRecord } from '../../domain/warmup/warmup-health.ts';
import { sendingDaysMs } from '../../domain/sending/sending-time.ts';
import { WARMUP_RULES } from '../../domain/warmup/warmup-rules.ts';
import { validationError } from '../../domain/errors.ts';
import { getUserWarmup } from './warmup.ts';

/** Days that are shown when nothing is asked for, and at most. */
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

export interface WarmupCounts {
  sent: number;
  received: number;
  inbox: number;
  spam: number;
  savedFromSpam: number;
  healthScore: number | null;
}

/** Totals of the whole range, and its days. */
export interface WarmupStats extends WarmupCounts {
  /** `YYYY-MM-DD`, UTC, both included. */
  from: string;
  to: string;
  days: (WarmupCounts & { date: string })[];
}

/** `from` and `to` are `YYYY-MM-DD` in UTC; the last 30 days by default, a year at most. */
export async function getWarmupStats(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  subject: { userId: string; mailboxId: number },
  asked: { from?: string | undefined; to?: string | undefined },
): Promise<WarmupStats> {
  await getUserWarmup(context, subject);
  const now = context.clock.now();
  const last = asked.to === undefined ? startOfDay(now.getTime()) : Date.parse(asked.to);
  const first =
    asked.from === undefined ? last - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(asked.from);
  if (first > last) throw problem('from', 'from must not be after to');
  if (last - first >= MAX_DAYS * DAY_MS) throw problem('from', `at most ${MAX_DAYS} days`);
  const span = { from: new Date(first), until: new Date(last + DAY_MS) };
  const rows = await readWarmupDays(context.db, subject.mailboxId, span);
  const days = rows.map((row) => ({ date: row.date, ...countsOf(row, healthScore(row)) }));
  const weekMs = sendingDaysMs(WARMUP_RULES.healthDays, context.config.DAY_SECONDS);
  const week = await readRecord(context.db, subject.mailboxId, new Date(now.getTime() - weekMs));
  return {
    from: dateOf(first),
    to: dateOf(last),
    ...countsOf(sumOf(rows), healthScore(week)),
    days,
  };
}

const startOfDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const problem = (field: string, message: string) => validationError([{ field, message }]);

type Counted = Pick<WarmupDayRow, 'sent' | 'received' | 'inbox' | 'spam' | 'saved'>;

const countsOf = (row: Counted, score: number | null): WarmupCounts => ({
  sent: row.sent,
  received: row.received,
  inbox: row.inbox,
  spam: row.spam,
  savedFromSpam: row.saved,
  healthScore: score,
});

function sumOf(rows: readonly WarmupDayRow[]): Counted & WarmupRecord {
  const total = (key: Exclude<keyof WarmupDayRow, 'date'>) =>
    rows.reduce((sum, row) => sum + row[key], 0);
  return {
    sent: total('sent'),
    received: total('received'),
    inbox: total('inbox'),
    spam: total('spam'),
    saved: total('saved'),
    bounced: total('bounced'),
    refused: total('refused'),
  };
}
