/** Which mailboxes of a campaign may send now, how many messages each, and when the others may again. */
import type { Transaction } from 'kysely';
import { perDayOf, takeSlot, type SlotLimits } from '../../domain/sending/mailbox-slots.ts';
import { capacityOf } from '../../domain/campaigns/new-leads.ts';
import { coldAllowance, type ColdSettings } from '../../domain/warmup/warmup-hold.ts';
import type { Candidate } from './mailbox-candidates.ts';
import { lockAndCount } from './mailbox-locks.ts';
import { slotLimits, type SlotSettings } from './mailbox-slots.ts';
import { readMailboxUsage } from './mailbox-usage.ts';
import { dueNeedOf, nextBatch, type DueRow } from './needed-mailboxes.ts';
import type { MailboxSender } from '../mailboxes/mailboxes.ts';
import type { Database } from '../tables.ts';

export interface CapacitySettings extends SlotSettings, ColdSettings {
  SEND_DOMAIN_DAILY_LIMIT: number;
}

/** A mailbox that may send `slots` messages now. Its row is locked. */
export interface MailboxCapacity {
  mailboxId: number;
  email: string;
  /** It lives elsewhere, where an address with an extension may not send. */
  isConnected?: boolean | undefined;
  /** Its messages are from this name and end with this signature. */
  sender: MailboxSender;
  /** Other campaigns use it, too. */
  isShared: boolean;
  slots: number;
  /** False: only its threads continue. */
  takesFirst: boolean;
  limits: SlotLimits;
}

/** A mailbox that has to wait. `at` null = until its failure is resolved. */
export interface Waiting {
  mailboxId: number;
  takesFirst: boolean;
  at: Date | null;
  /** Other campaigns use it, too: a campaign that waits for a slot records that. */
  isShared: boolean;
  /** Others of this claim hold what is left of its domain: the next claim knows what they have used. */
  isHeld?: boolean;
}

/** A mailbox that only its limits keep from sending. */
interface Free {
  candidate: Candidate;
  limits: SlotLimits;
}

/** How long a slot is reserved for the campaign that was served longest ago. */
const YIELD_MS = 500;

/** A free mailbox that no due recipient needs. Its row is not locked. */
export type Unneeded = Pick<MailboxCapacity, 'mailboxId' | 'takesFirst'>;

export interface CampaignCapacity {
  /** In sending order. */
  open: MailboxCapacity[];
  waiting: Waiting[];
  unneeded: Unneeded[];
  /** Some of the open ones have a thread that is due. */
  hasThreads: boolean;
  /** Messages a day of all mailboxes that start threads. */
  capacity: number;
}

/**
 * Locks those of the free mailboxes that due recipients need. Lock order: campaign, sending domains,
 * mailboxes, recipients, messages. docs/sending-rules.md#one-message-at-a-time.
 */
export async function lockCapacity(
  trx: Transaction<Database>,
  settings: CapacitySettings,
  request: CapacityRequest,
): Promise<CampaignCapacity> {
  const { candidates, now } = request;
  const waiting: Waiting[] = [];
  const free: Free[] = [];
  const usable: { email: string; perDay: number }[] = [];
  for (const candidate of candidates) {
    const wait = (at: Date | null) => void waiting.push({ ...waitOf(candidate), at });
    const dailyLimit = candidate.daily_limit ?? settings.SEND_MAILBOX_DAILY_LIMIT;
    const { allowance } = coldAllowance(candidate.warmup ?? undefined, settings, dailyLimit);
    const limits = slotLimits(settings, candidate, allowance);
    const isUsable = candidate.failing_reason === null && candidate.status === 'active';
    if (isUsable && candidate.out_reason === null) {
      usable.push({ email: candidate.email, perDay: perDayOf(limits) });
    }
    if (!isUsable) wait(null);
    else if (candidate.paused_until) wait(candidate.paused_until);
    else if (allowance <= 0) wait(new Date(now.getTime() + limits.hourMs));
    else if (candidate.next_send_at && candidate.next_send_at > now) wait(candidate.next_send_at);
    else if (candidate.yields) wait(new Date(now.getTime() + YIELD_MS));
    else free.push({ candidate, limits });
  }
  const needed = await lockNeeded(trx, settings, { ...request, free, waiting });
  return {
    ...needed,
    waiting,
    capacity: capacityOf(usable, settings.SEND_DOMAIN_DAILY_LIMIT),
  };
}

export interface CapacityRequest {
  /** In the order in which they are used. */
  candidates: readonly Candidate[];
  due: readonly DueRow[];
  now: Date;
  /** The maximum number of messages. */
  most: number;
}

const waitOf = ({ id, out_reason, is_shared }: Candidate) => ({
  mailboxId: id,
  takesFirst: out_reason === null,
  isShared: is_shared,
});

const slotOf = ({ candidate: { id, out_reason } }: Free) => ({
  id,
  takesFirst: out_reason === null,
});

/** Batch by batch until all due messages have mailboxes: those without capacity are replaced by others. */
async function lockNeeded(
  trx: Transaction<Database>,
  settings: CapacitySettings,
  request: CapacityRequest & { free: readonly Free[]; waiting: Waiting[] },
): Promise<Pick<CampaignCapacity, 'open' | 'unneeded' | 'hasThreads'>> {
  const { free, waiting, now, most } = request;
  if (free.length === 0) return { open: [], unneeded: [], hasThreads: false };
  const mailboxIds = free.map(({ candidate }) => candidate.id);
  const { threads, firsts } = dueNeedOf(request.due, new Set(mailboxIds));
  const campaignCapacity = new Map<number, MailboxCapacity>();
  const spent: Free[] = [];
  const domains = { left: new Map<number, number>(), atFirst: new Map<number, number>() };
  let rest = free;
  let [size, lacking] = [firsts, firsts];
  for (;;) {
    const next = nextBatch(rest, { threads, firsts: lacking > 0 ? size : 0 }, slotOf);
    if (next.batch.length === 0) break;
    const isFirst = rest === free;
    const opened = await lockBatch(trx, settings, {
      batch: next.batch,
      domains,
      isFirst,
      waiting,
      spent,
      now,
      most,
    });
    for (const mailboxCapacity of opened) {
      campaignCapacity.set(mailboxCapacity.mailboxId, mailboxCapacity);
      if (!threads.has(mailboxCapacity.mailboxId)) lacking -= 1;
    }
    rest = next.rest;
    // Growing batches: few queries even where many mailboxes have no capacity.
    size = Math.max(lacking, 2 * next.batch.length);
  }
  await waitForLimits(trx, spent, { waiting, now });
  return {
    open: mailboxIds.flatMap((id) => campaignCapacity.get(id) ?? []),
    unneeded: rest.map(({ candidate }) => waitOf(candidate)),
    hasThreads: threads.size > 0,
  };
}

async function lockBatch(
  trx: Transaction<Database>,
  settings: CapacitySettings,
  found: {
    batch: readonly Free[];
    /** By domain: how many messages it may still send, after what this claim holds and before. */
    domains: Record<'left' | 'atFirst', Map<number, number>>;
    isFirst: boolean;
    waiting: Waiting[];
    spent: Free[];
    now: Date;
    most: number;
  },
): Promise<MailboxCapacity[]> {
  const { batch, domains, isFirst, waiting, spent, now, most } = found;
  const { hourMs, dayMs } = batch[0]!.limits;
  const domainIds = new Set(batch.flatMap(({ candidate }) => candidate.domain_id ?? []));
  const unknown = [...domainIds].filter((id) => !domains.left.has(id));
  const mailboxIds = batch.map(({ candidate }) => candidate.id);
  const lockable = { domainIds: unknown, mailboxIds };
  // A later batch must not wait for locks: the holder may wait for a domain of the first batch.
  const terms = { domainLimit: settings.SEND_DOMAIN_DAILY_LIMIT, waits: isFirst };
  const locked = await lockAndCount(trx, lockable, { ...terms, now, hourMs, dayMs });
  for (const [id, left] of locked.domains) {
    domains.left.set(id, left);
    domains.atFirst.set(id, left);
  }
  const open: MailboxCapacity[] = [];
  for (const each of batch) {
    const { candidate, limits } = each;
    const use = locked.mailboxes.get(candidate.id);
    const wait = (at: Date, isHeld = false) =>
      void waiting.push({ ...waitOf(candidate), at, isHeld });
    const domainId = candidate.domain_id;
    const domainLeft = domainId === null ? Infinity : domains.left.get(domainId);
    if (!use || domainLeft === undefined) {
      // Another process has just locked it or its domain.
      wait(new Date(now.getTime() + YIELD_MS));
      continue;
    }
    const left = Math.min(
      limits.hourly - use.hour,
      limits.daily - use.day,
      limits.dailyCold - use.cold,
      domainLeft,
      limits.gapMs > 0 ? 1 : most,
    );
    if (left > 0) {
      const { email } = candidate;
      const { sender } = use;
      const isConnected = domainId === null;
      open.push({ ...waitOf(candidate), email, isConnected, sender, slots: left, limits });
      if (domainId !== null) domains.left.set(domainId, domainLeft - left);
    } else if (domainLeft <= 0) {
      wait(new Date(now.getTime() + limits.hourMs), domains.atFirst.get(domainId!)! > 0);
    } else spent.push(each);
  }
  return open;
}

/** When the limits that exclude these mailboxes end. */
async function waitForLimits(
  trx: Transaction<Database>,
  spent: readonly Free[],
  { waiting, now }: { waiting: Waiting[]; now: Date },
): Promise<void> {
  if (spent.length === 0) return;
  const since = new Date(now.getTime() - spent[0]!.limits.dayMs);
  const most = Math.max(...spent.map(({ limits }) => Math.max(limits.daily, limits.hourly)));
  const ids = spent.map(({ candidate }) => candidate.id);
  const uses = await readMailboxUsage(trx, ids, { since, most });
  for (const { candidate, limits } of spent) {
    const use = { nextSendAt: null, ...uses.get(candidate.id)! };
    const slot = takeSlot('cold', limits, use, { now, chance: 0 });
    waiting.push({ ...waitOf(candidate), at: slot.granted ? now : slot.nextAt });
  }
}
