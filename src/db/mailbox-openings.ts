/** Which mailboxes of a campaign may send now, how many letters, and when the others may again. */
import { sql, type Transaction } from 'kysely';
import { perDayOf, takeSlot, type SlotLimits } from '../domain/mailbox-slots.ts';
import { capacityOf } from '../domain/new-leads.ts';
import { coldAllowance, type ColdSettings, type WarmupStanding } from '../domain/warmup-hold.ts';
import { slotLimits, type SlotSettings } from './mailbox-slots.ts';
import type { Database } from './tables.ts';

export interface OpeningSettings extends SlotSettings, ColdSettings {
  SEND_DOMAIN_DAILY_LIMIT: number;
}

/** A mailbox that may send `slots` letters now. Its row is locked. */
export interface Opening {
  mailboxId: number;
  email: string;
  slots: number;
  /** False: only its threads go on. */
  takesFirst: boolean;
  limits: SlotLimits;
}

/** A mailbox that has to wait. `at` null = until something heals. */
export interface Waiting {
  mailboxId: number;
  takesFirst: boolean;
  at: Date | null;
  /** Other campaigns use it, too: who waits for a turn says so. */
  isShared: boolean;
}

interface Candidate {
  id: number;
  email: string;
  status: string;
  domain_id: number;
  daily_limit: number | null;
  hourly_limit: number | null;
  min_gap_seconds: number | null;
  next_send_at: Date | null;
  failing_reason: string | null;
  out_reason: string | null;
  is_shared: boolean;
  yields: boolean;
  warmup: WarmupStanding | null;
}

/** A mailbox that nothing keeps from sending but its limits. */
interface Free {
  candidate: Candidate;
  limits: SlotLimits;
}

/** A turn is offered for so long to who was served longest ago. */
const YIELD_MS = 500;

/**
 * Locks the mailboxes that are free. Lock order: campaign, sending domains, mailboxes, recipients,
 * letters. `capacity`: messages a day of all that begin threads. Mail: rules of sending.
 */
export async function openMailboxes(
  trx: Transaction<Database>,
  settings: OpeningSettings,
  { campaignId, now, most }: { campaignId: number; now: Date; most: number },
): Promise<{ open: Opening[]; waiting: Waiting[]; capacity: number }> {
  const waiting: Waiting[] = [];
  const free: Free[] = [];
  const usable: { email: string; perDay: number }[] = [];
  for (const candidate of await listCandidates(trx, campaignId, now)) {
    const wait = (at: Date | null) => void waiting.push({ ...waitOf(candidate), at });
    const dailyLimit = candidate.daily_limit ?? settings.SEND_MAILBOX_DAILY_LIMIT;
    const { allowance } = coldAllowance(candidate.warmup ?? undefined, settings, dailyLimit);
    const limits = slotLimits(settings, candidate, allowance);
    const isUsable = candidate.failing_reason === null && candidate.status === 'active';
    if (isUsable && candidate.out_reason === null) {
      usable.push({ email: candidate.email, perDay: perDayOf(limits) });
    }
    if (!isUsable) wait(null);
    else if (allowance <= 0) wait(new Date(now.getTime() + limits.hourMs));
    else if (candidate.next_send_at && candidate.next_send_at > now) wait(candidate.next_send_at);
    else if (candidate.yields) wait(new Date(now.getTime() + YIELD_MS));
    else free.push({ candidate, limits });
  }
  const open = await lockFree(trx, settings, { free, waiting, now, most });
  return { open, waiting, capacity: capacityOf(usable, settings.SEND_DOMAIN_DAILY_LIMIT) };
}

const waitOf = ({ id, out_reason, is_shared }: Candidate) => ({
  mailboxId: id,
  takesFirst: out_reason === null,
  isShared: is_shared,
});

async function lockFree(
  trx: Transaction<Database>,
  settings: OpeningSettings,
  {
    free,
    waiting,
    now,
    most,
  }: {
    free: readonly Free[];
    waiting: Waiting[];
    now: Date;
    most: number;
  },
): Promise<Opening[]> {
  const [first] = free;
  if (!first) return [];
  const domainsLeft = await lockDomains(trx, settings, free, now);
  const used = await lockAndCount(trx, free, now);
  const open: Opening[] = [];
  for (const { candidate, limits } of free) {
    const use = used.get(candidate.id);
    const wait = (at: Date) => void waiting.push({ ...waitOf(candidate), at });
    if (!use) {
      // Somebody else has just taken it.
      wait(new Date(now.getTime() + YIELD_MS));
      continue;
    }
    const domainLeft = domainsLeft.get(candidate.domain_id) ?? Infinity;
    const left = Math.min(
      limits.hourly - use.hour,
      limits.daily - use.day,
      limits.dailyCold - use.cold,
      domainLeft,
      limits.gapMs > 0 ? 1 : most,
    );
    if (left > 0) {
      const { id: mailboxId, email, out_reason } = candidate;
      open.push({ mailboxId, email, slots: left, takesFirst: out_reason === null, limits });
      domainsLeft.set(candidate.domain_id, domainLeft - left);
    } else if (domainLeft <= 0) wait(new Date(now.getTime() + limits.hourMs));
    else wait(await freeAgainAt(trx, candidate.id, limits, now));
  }
  return open;
}

async function listCandidates(
  trx: Transaction<Database>,
  campaignId: number,
  now: Date,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select mailboxes.id, mailboxes.email, mailboxes.status, clusters.domain_id,
      mailboxes.daily_limit, mailboxes.hourly_limit, mailboxes.min_gap_seconds,
      mailboxes.next_send_at, mailboxes.failing_reason, mine.out_reason,
      coalesce(others.is_shared, false) as is_shared, coalesce(others.yields, false) as yields,
      case when warmups.mailbox_id is not null then json_build_object('status', warmups.status,
        'day', warmups.day, 'cold_day', warmups.cold_day) end as warmup
    from campaign_mailboxes mine
    join mailboxes on mailboxes.id = mine.mailbox_id
    join clusters on clusters.id = mailboxes.cluster_id
    left join warmups on warmups.mailbox_id = mine.mailbox_id
    cross join lateral (
      select bool_or(true) as is_shared, bool_or(theirs.wants_until > ${now}
        and (coalesce(theirs.served_at, '-infinity'), theirs.campaign_id)
          < (coalesce(mine.served_at, '-infinity'), mine.campaign_id)) as yields
      from campaign_mailboxes theirs join campaigns on campaigns.id = theirs.campaign_id
      where theirs.mailbox_id = mine.mailbox_id and theirs.campaign_id <> ${campaignId}
        and campaigns.status = 'active'
    ) others
    where mine.campaign_id = ${campaignId}
    order by mine.served_at nulls first, mailboxes.id`.execute(trx);
  return rows;
}

/**
 * Letters that each sending domain has left today, warm-up's counted in: recipients' servers see one
 * sum. Its mailboxes take turns at claiming them.
 */
async function lockDomains(
  trx: Transaction<Database>,
  { SEND_DOMAIN_DAILY_LIMIT: most }: OpeningSettings,
  free: readonly Free[],
  now: Date,
): Promise<Map<number, number>> {
  if (most === 0) return new Map();
  const ids = [...new Set(free.map(({ candidate }) => candidate.domain_id))];
  await trx
    .selectFrom('domains')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const since = new Date(now.getTime() - free[0]!.limits.dayMs);
  const { rows } = await sql<{ domain_id: number; letters: number }>`
    select clusters.domain_id, sum(cold.letters + warm.letters)::integer as letters
    from clusters join mailboxes on mailboxes.cluster_id = clusters.id
    cross join lateral (select count(*) as letters from sends
      where mailbox_id = mailboxes.id and claimed_at > ${since}) cold
    cross join lateral (select count(*) as letters from warmup_letters
      where from_mailbox_id = mailboxes.id and claimed_at > ${since}) warm
    where clusters.domain_id = any (${ids}::bigint[])
    group by clusters.domain_id`.execute(trx);
  const used = new Map(rows.map(({ domain_id, letters }) => [domain_id, letters]));
  return new Map(ids.map((id) => [id, most - (used.get(id) ?? 0)]));
}

/** Letters of the last hour and day, for those whose rows could be locked. */
async function lockAndCount(
  trx: Transaction<Database>,
  free: readonly Free[],
  now: Date,
): Promise<Map<number, { hour: number; day: number; cold: number }>> {
  const ids = free.map(({ candidate }) => candidate.id);
  const { hourMs, dayMs } = free[0]!.limits;
  const hourAgo = new Date(now.getTime() - hourMs);
  const dayAgo = new Date(now.getTime() - dayMs);
  const counted = (letters: string, mailbox: string) => sql`
    select count(*) filter (where claimed_at > ${hourAgo})::integer as hour, count(*)::integer as day
    from ${sql.table(letters)}
    where ${sql.ref(mailbox)} = locked.id and claimed_at > ${dayAgo}`;
  const { rows } = await sql<{ id: number; hour: number; day: number; cold: number }>`
    with locked as (
      select id from mailboxes
      where id = any (${ids}::bigint[]) and status = 'active' and failing_reason is null
        and (next_send_at is null or next_send_at <= ${now})
      order by id for no key update skip locked
    )
    select locked.id, cold.hour + warm.hour as hour, cold.day + warm.day as day, cold.day as cold
    from locked
    cross join lateral (${counted('sends', 'mailbox_id')}) cold
    cross join lateral (${counted('warmup_letters', 'from_mailbox_id')}) warm`.execute(trx);
  return new Map(rows.map(({ id, ...use }) => [id, use]));
}

/** When the limit that refuses a mailbox is over. */
async function freeAgainAt(
  trx: Transaction<Database>,
  mailboxId: number,
  limits: SlotLimits,
  now: Date,
): Promise<Date> {
  const since = new Date(now.getTime() - limits.dayMs);
  const most = Math.max(limits.daily, limits.hourly);
  const timesIn = async (letters: string, mailbox: string) => {
    const { rows } = await sql<{ claimed_at: Date }>`
      select claimed_at from ${sql.table(letters)}
      where ${sql.ref(mailbox)} = ${mailboxId} and claimed_at > ${since}
      order by claimed_at desc limit ${most}`.execute(trx);
    return rows.map(({ claimed_at }) => claimed_at);
  };
  const cold = await timesIn('sends', 'mailbox_id');
  const warmup = await timesIn('warmup_letters', 'from_mailbox_id');
  const slot = takeSlot('cold', limits, { nextSendAt: null, cold, warmup }, { now, chance: 0 });
  return slot.granted ? now : slot.nextAt;
}
