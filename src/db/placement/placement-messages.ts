/** The messages of a placement test, once to each seed: claimed, sending, and where they landed. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { PlacementOutcome } from '../../domain/placement/placement.ts';
import type { CapacitySettings } from '../sending/mailbox-capacity.ts';
import { lockDomains } from '../sending/mailbox-locks.ts';
import { reserveMailboxSlot, slotLimits, type ReservedSlot } from '../sending/mailbox-slots.ts';
import { coldAllowanceOf, readMailboxStanding } from '../sending/mailbox-standing.ts';
import type { Database } from '../tables.ts';
import type { PlacementSeed } from './placement-seeds.ts';
import type { PlacementMessagesTable } from './placement-tables.ts';
import { proveSeed } from './seed-proof.ts';

export type PlacementMessage = Selectable<PlacementMessagesTable>;

interface TestOfMessages {
  testId: number;
  mailboxId: number;
}

export const insertPlacementMessages = (
  trx: Transaction<Database>,
  { testId, mailboxId }: TestOfMessages,
  seeds: readonly { seed: PlacementSeed; messageId: string }[],
) =>
  trx
    .insertInto('placement_messages')
    .values(
      seeds.map(({ seed, messageId }) => ({
        test_id: testId,
        seed_id: seed.id,
        mailbox_id: mailboxId,
        address: seed.address,
        provider: seed.provider,
        message_id: messageId,
      })),
    )
    .execute();

/** By id; of several tests, where a list of them is shown. */
export const listPlacementMessages = async (
  db: Kysely<Database>,
  testIds: readonly number[],
): Promise<PlacementMessage[]> =>
  testIds.length === 0
    ? []
    : db
        .selectFrom('placement_messages')
        .selectAll()
        .where('test_id', 'in', [...testIds])
        .orderBy('id')
        .execute();

/** `held`: something keeps the mailbox from sending, in words; `domain`: its domain has none left today. See `SeedProof`. */
export type PlacementSlot =
  | ReservedSlot
  | { granted: false; nextAt: null; limit: 'held'; hold: string }
  | { granted: false; nextAt: null; limit: 'domain' | 'silent' };

/**
 * Claims a message that waits, when nothing keeps its mailbox from sending and it has one left today. The test's row is
 * locked first: nothing is claimed after a cancel has taken effect. Undefined where it does not wait any more, or its seed has not shown the first message yet.
 */
export async function claimPlacementMessage(
  trx: Transaction<Database>,
  settings: CapacitySettings,
  { testId, id, claimedBy, now }: { testId: number; id: number; claimedBy: string; now: Date },
): Promise<PlacementSlot | undefined> {
  const test = await trx
    .selectFrom('placement_tests')
    .select(['user_id', 'mailbox_id'])
    .where('id', '=', testId)
    .where('status', '=', 'processing')
    .forNoKeyUpdate()
    .executeTakeFirst();
  const message = await trx
    .selectFrom('placement_messages')
    .select('address')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('outcome', 'is', null)
    .executeTakeFirst();
  if (!test || !message) return undefined;
  const proof = await proveSeed(trx, { userId: test.user_id, ...message, testId });
  if (proof === 'open') return undefined;
  if (proof === 'silent') return { granted: false, nextAt: null, limit: 'silent' };
  const slot = await reserveSlot(trx, settings, { mailboxId: test.mailbox_id, now });
  if (!slot.granted) return slot;
  await trx
    .updateTable('placement_messages')
    .set({ state: 'claimed', claimed_by: claimedBy, claimed_at: now })
    .where('id', '=', id)
    .execute();
  return slot;
}

/** Lock order as claims of campaigns have it: the domain, then the mailbox. */
async function reserveSlot(
  trx: Transaction<Database>,
  settings: CapacitySettings,
  { mailboxId, now }: { mailboxId: number; now: Date },
): Promise<PlacementSlot> {
  const gone = { granted: false, nextAt: null, limit: 'gone' } as const;
  const before = await readMailboxStanding(trx, mailboxId, now);
  if (!before) return gone;
  const own = { daily_limit: before.dailyLimit, hourly_limit: null, min_gap_seconds: null };
  const { dayMs } = slotLimits(settings, own);
  const domainIds = before.domainId === null ? [] : [before.domainId];
  const domainLimit = settings.SEND_DOMAIN_DAILY_LIMIT;
  const left = await lockDomains(trx, domainIds, { domainLimit, waits: true, now, dayMs });
  await trx
    .selectFrom('mailboxes')
    .select('id')
    .where('id', '=', mailboxId)
    .forNoKeyUpdate()
    .execute();
  const standing = await readMailboxStanding(trx, mailboxId, now);
  if (!standing) return gone;
  const allowance = coldAllowanceOf(standing, settings);
  const hold = standing.hold ?? (allowance <= 0 ? 'its warm-up allows nothing cold yet' : null);
  if (hold !== null) return { granted: false, nextAt: null, limit: 'held', hold };
  if ([...left.values()].some((messages) => messages <= 0)) {
    return { granted: false, nextAt: null, limit: 'domain' };
  }
  const request = {
    mailboxId,
    kind: 'cold',
    now,
    isUrgent: true,
    coldAllowance: allowance,
  } as const;
  return reserveMailboxSlot(trx, settings, request);
}

/** From now on it may be in delivery. False when the claim was lost, or the test is over. */
export async function markPlacementSending(
  db: Kysely<Database>,
  id: number,
  claimedBy: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update placement_messages as message set state = 'sending' from placement_tests as test
    where message.id = ${id} and claimed_by = ${claimedBy} and state = 'claimed'
      and test.id = message.test_id and test.status = 'processing'`.execute(db);
  return numAffectedRows === 1n;
}

export type PlacementDelivery =
  | { state: 'sent'; at: Date }
  | { state: 'uncertain' }
  /** It is decided by this, in the same change: nothing looks for it later. */
  | { state: 'refused'; at: Date; error: { code: string; message: string } };

/** Records the result. One marked uncertain meanwhile gets its real result from its sender. */
export async function finishPlacementSend(
  db: Kysely<Database>,
  id: number,
  claimedBy: string,
  delivery: PlacementDelivery,
): Promise<void> {
  await db
    .updateTable('placement_messages')
    .set((eb) => ({
      state: delivery.state,
      ...(delivery.state === 'sent' && { sent_at: delivery.at }),
      ...(delivery.state === 'refused' && {
        outcome: eb.fn.coalesce('outcome', eb.val<PlacementOutcome>('failed')),
        decided_at: eb.fn.coalesce('decided_at', eb.val(delivery.at)),
        error_code: eb.fn.coalesce('error_code', eb.val(delivery.error.code)),
        error_message: eb.fn.coalesce('error_message', eb.val(delivery.error.message)),
      }),
    }))
    .where('id', '=', id)
    .where('claimed_by', '=', claimedBy)
    .where('state', 'in', ['claimed', 'sending', 'uncertain'])
    .execute();
}

/** Releases the claim: nothing of it was sent. */
export async function unclaimPlacementMessage(
  db: Kysely<Database>,
  id: number,
  claimedBy: string,
): Promise<void> {
  await db
    .updateTable('placement_messages')
    .set({ state: 'waiting', claimed_by: null, claimed_at: null })
    .where('id', '=', id)
    .where('claimed_by', '=', claimedBy)
    .where('state', 'in', ['claimed', 'sending'])
    .execute();
}

/**
 * Messages of an attempt that died: claims are released, messages in delivery stay unknown. `to`: what becomes of the
 * claims; a cancelled test sends nothing any more.
 */
export async function recoverPlacementMessages(
  db: Kysely<Database>,
  testId: number,
  { exceptBy, to }: { exceptBy: string | null; to: 'waiting' | 'cancelled' },
): Promise<void> {
  const unsent = to === 'waiting' ? ['claimed'] : ['claimed', 'waiting'];
  await sql`
    update placement_messages set
      state = case when state = 'sending' then 'uncertain' else ${to} end,
      claimed_at = case when state = 'sending' then claimed_at end,
      claimed_by = case when state = 'sending' then claimed_by end
    where test_id = ${testId} and state = any (${[...unsent, 'sending']}::text[])
      and (claimed_by is null or claimed_by is distinct from ${exceptBy})`.execute(db);
}

export interface Decision {
  outcome: PlacementOutcome;
  at: Date;
  folder?: string | undefined;
  error?: { code: string; message: string } | undefined;
}

/** The first decision counts. One whose outcome was unknown has arrived where it was found. Safe to repeat. */
export async function decidePlacement(
  db: Kysely<Database>,
  id: number,
  { outcome, at, folder, error }: Decision,
): Promise<void> {
  const isFound = outcome !== 'missing' && outcome !== 'failed';
  await db
    .updateTable('placement_messages')
    .set((eb) => ({
      outcome,
      decided_at: at,
      folder: folder ?? null,
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      ...(isFound && { state: 'sent', sent_at: eb.fn.coalesce('sent_at', 'claimed_at') }),
    }))
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute();
}
