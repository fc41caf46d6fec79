/** Plans a mailbox's messages of the day, once: the day's start in the row marks it as planned. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database } from '../../src/db/tables.ts';
import {
  cancelStaleMessages,
  countByAddress,
  countPlannedAnswers,
  findPartners,
  insertPlannedMessages,
  isInCampaign,
} from '../../src/db/warmup/warmup-plans.ts';
import { lockWarmup, settingsOf, updateWarmup, type Warmup } from '../../src/db/warmup/warmups.ts';
import { seedAddressesOf } from '../../src/domain/warmup/seed-mailboxes.ts';
import type { OpenWindow } from '../../src/domain/sending/send-window.ts';
import { sendingDaysMs } from '../../src/domain/sending/sending-time.ts';
import { warmupMessageId } from '../../src/domain/warmup/warmup-message-id.ts';
import { coldAllowance } from '../../src/domain/warmup/warmup-hold.ts';
import { choosePartners, type WarmupPartner } from '../../src/domain/warmup/warmup-partners.ts';
import {
  isBegun,
  plannedVolume,
  spreadTimes,
  volumeOfDay,
} from '../../src/domain/warmup/warmup-plan.ts';
import { WARMUP_RULES } from '../../src/domain/warmup/warmup-rules.ts';
import { ownStatus, warmupJobState } from '../../src/domain/warmup/warmup.ts';
import type { WarmupMailbox, WarmupSession } from './warmup-mailbox.ts';

/** 144 random bits, beginning with a letter. */
export const newToken = (): string => `w${randomBytes(18).toString('base64url')}`;

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

export const newMessageId = (from: string): string => warmupMessageId(newToken(), domainOf(from));

/** A day without partners does not count as a warm-up day, and may still be planned later. */
export function planDay(
  warmupSession: WarmupSession,
  mailbox: WarmupMailbox,
  hours: OpenWindow,
): Promise<'planned' | 'no_partners'> {
  const { context, mailboxId } = warmupSession;
  const { db, config } = context;
  const { now } = mailbox;
  return db.transaction().execute(async (trx) => {
    const row = await lockWarmup(trx, mailboxId);
    if (!row || warmupJobState(row.status) !== 'active') return 'planned';
    if (isBegun(row.day_started_at, hours, config.DAY_SECONDS)) return 'planned';
    const answersFrom = now.getTime() - sendingDaysMs(WARMUP_RULES.lookDays, config.DAY_SECONDS);
    await cancelStaleMessages(trx, mailboxId, {
      messages: hours.from,
      answers: new Date(answersFrom),
    });
    const next = nextDay(row, config.WARMUP_DAYS);
    const volume = await volumeFor(trx, warmupSession, { ...row, ...next }, mailbox.dailyLimit);
    const answers = await countPlannedAnswers(trx, mailboxId, hours.until);
    const chosen = await choose(trx, warmupSession, mailbox, Math.max(0, volume - answers));
    if (chosen.length === 0 && answers === 0 && volume > 0) {
      await updateWarmup(trx, mailboxId, { status_reason: row.status_reason ?? 'no_partners' });
      return 'no_partners';
    }
    const times = spreadTimes(hours, now, chosen.length, Math.random);
    const messages = chosen.map((to, n) => ({
      to,
      messageId: newMessageId(mailbox.email),
      plannedAt: times[n]!,
    }));
    await insertPlannedMessages(trx, mailboxId, messages);
    await updateWarmup(trx, mailboxId, {
      ...next,
      ...(row.status_reason === 'no_partners' && { status_reason: null }),
      day_started_at: hours.from,
      day_volume: chosen.length + answers,
    });
    return 'planned';
  });
}

/** After the warm-up proper, the volume of cold mail grows with each healthy day. */
function nextDay(row: Warmup, warmupDays: number): Pick<Warmup, 'day' | 'status' | 'cold_day'> {
  const day = row.day + 1;
  const own = ownStatus(day, warmupDays);
  const isHealthy = row.status === 'warming' || row.status === 'active';
  return {
    day,
    status: isHealthy ? own : row.status,
    cold_day: isHealthy && own === 'active' ? row.cold_day + 1 : row.cold_day,
  };
}

/** Warm-up leaves capacity to cold mail where an active campaign uses the mailbox. */
async function volumeFor(
  trx: Transaction<Database>,
  { context: { config } }: WarmupSession,
  row: Warmup,
  ownLimit: number | null,
): Promise<number> {
  const dailyLimit = ownLimit ?? config.SEND_MAILBOX_DAILY_LIMIT;
  const isUsed = await isInCampaign(trx, row.mailbox_id);
  return plannedVolume(volumeOfDay(settingsOf(row), row.day), {
    isThrottled: row.status === 'throttled',
    dailyMax: config.SEND_MAILBOX_DAILY_MAX,
    cold: isUsed ? coldAllowance(row, config, dailyLimit).allowance : 0,
  });
}

async function choose(
  trx: Transaction<Database>,
  { context: { config }, mailboxId }: WarmupSession,
  { row, email, now }: WarmupMailbox,
  volume: number,
): Promise<WarmupPartner[]> {
  const me = { mailboxId, userId: row.user_id, email };
  const some = { limit: WARMUP_RULES.candidates, chance: Math.random() };
  const weekMs = sendingDaysMs(7, config.DAY_SECONDS);
  return choosePartners({
    me,
    candidates: await findPartners(trx, me, some),
    seeds: seedAddressesOf(config),
    counts: await countByAddress(trx, mailboxId, new Date(now.getTime() - weekMs)),
    volume,
    random: Math.random,
  });
}
