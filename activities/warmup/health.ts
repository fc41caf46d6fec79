/** Judges the health of a warming mailbox and tells clients when it changes. */
import type { Transaction } from 'kysely';
import { tellMailboxHealth } from '../../src/db/mailboxes/mailbox-health.ts';
import type { Database } from '../../src/db/tables.ts';
import { readRecord } from '../../src/db/warmup/warmup-records.ts';
import { lockWarmup, updateWarmup, type Warmup } from '../../src/db/warmup/warmups.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { sendingDaysMs } from '../../src/domain/sending/sending-time.ts';
import {
  healthScore,
  judge,
  shownHealth,
  type Verdict,
} from '../../src/domain/warmup/warmup-health.ts';
import { WARMUP_RULES } from '../../src/domain/warmup/warmup-rules.ts';
import { ownStatus, warmupJobState } from '../../src/domain/warmup/warmup.ts';
import type { WarmupContext, WarmupMailbox, WarmupSession } from './warmup-mailbox.ts';

/** Judges by the messages of the last seven days. Safe to repeat. */
export function judgeWarmup(context: WarmupContext, mailboxId: number): Promise<void> {
  const { db, clock, config } = context;
  return db.transaction().execute(async (trx) => {
    const row = await lockWarmup(trx, mailboxId);
    if (!row || warmupJobState(row.status) !== 'active') return;
    const ago = (days: number) =>
      new Date(clock.now().getTime() - sendingDaysMs(days, config.DAY_SECONDS));
    const record = await readRecord(trx, mailboxId, ago(WARMUP_RULES.healthDays));
    const { status, status_reason: reason, day, quarantined_at } = row;
    const isQuarantineServed =
      quarantined_at !== null && quarantined_at < ago(WARMUP_RULES.quarantineDays);
    const now = { status, reason, day, isQuarantineServed };
    const verdict = judge(now, record, config.WARMUP_DAYS);
    await change(trx, row, verdict, { score: healthScore(record), now: clock.now() });
  });
}

/** The server refuses the mailbox's password: nothing can be sent until it accepts it again. */
export function quarantineForLogin(context: WarmupContext, mailboxId: number): Promise<void> {
  return context.db.transaction().execute(async (trx) => {
    const row = await lockWarmup(trx, mailboxId);
    if (!row || warmupJobState(row.status) !== 'active') return;
    const verdict: Verdict = { status: 'quarantined', reason: 'login_refused' };
    await change(trx, row, verdict, { score: row.health_score, now: context.clock.now() });
  });
}

/** Ends a quarantine for a refused login when the login works; true when it did. */
export async function tryLogin(
  { context, mailboxId }: WarmupSession,
  { access }: WarmupMailbox,
): Promise<boolean> {
  try {
    await context.mailTransport.checkSubmission(access);
  } catch (error) {
    if (error instanceof ProviderError) return false;
    throw error;
  }
  return context.db.transaction().execute(async (trx) => {
    const row = await lockWarmup(trx, mailboxId);
    if (row?.status !== 'quarantined' || row.status_reason !== 'login_refused') return true;
    const status = ownStatus(row.day, context.config.WARMUP_DAYS);
    const verdict: Verdict = { status, reason: null };
    await change(trx, row, verdict, { score: row.health_score, now: context.clock.now() });
    return true;
  });
}

/** Row and event in one transaction. Choice 45. */
async function change(
  trx: Transaction<Database>,
  row: Warmup,
  { status, reason }: Verdict,
  { score, now }: { score: number | null; now: Date },
): Promise<void> {
  const isSame =
    status === row.status && reason === row.status_reason && score === row.health_score;
  if (isSame) return;
  const isNewlyOut = status === 'quarantined' && row.status !== 'quarantined';
  await updateWarmup(trx, row.mailbox_id, {
    status,
    status_reason: reason,
    health_score: score,
    ...(isNewlyOut && { quarantined_at: now, cold_day: 0 }),
    ...(status !== 'quarantined' && { quarantined_at: null }),
  });
  const health = shownHealth(status, score);
  if (health === shownHealth(row.status, row.health_score)) return;
  const change = { aspect: 'warmup', health, reason, healthScore: score } as const;
  await tellMailboxHealth(trx, [{ mailboxId: row.mailbox_id, ...change }], now);
}
