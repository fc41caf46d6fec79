/**
 * Contacts that were bought: an intent is committed before a finder is asked, the answer with its
 * completion, and an intent whose answer was lost is never repeated with that vendor.
 * docs/workflow-rules.md#intent-before-purchase.
 */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { BoughtPerson, ContactPurchasesTable } from './discovery-tables.ts';
import type { Database } from '../tables.ts';

export type ContactPurchase = Selectable<ContactPurchasesTable>;

/** Bought contacts are kept this long, in case the same company is found again. */
export const PURCHASE_KEPT_DAYS = 90;

/** What identifies a purchase. */
export interface PurchaseKey {
  userId: string;
  vendor: string;
  domain: string;
}

/** Longer than any activity: the answer to an older intent is lost. */
const UNDER_WAY_MINUTES = 30;

const fresh = sql<boolean>`asked_at > now() - make_interval(days => ${sql.lit(PURCHASE_KEPT_DAYS)})`;

/** All unexpired purchases of this user for a company. */
export const listPurchases = (
  db: Kysely<Database>,
  userId: string,
  domain: string,
): Promise<ContactPurchase[]> =>
  db
    .selectFrom('contact_purchases')
    .selectAll()
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .where(fresh)
    .execute();

/**
 * Writes the intent; undefined when one is there already. `attempt` names the run of the activity
 * that is about to ask.
 */
export const insertPurchaseIntent = (
  trx: Transaction<Database>,
  key: PurchaseKey,
  by: { processId: number; attempt: string },
): Promise<ContactPurchase | undefined> =>
  trx
    .insertInto('contact_purchases')
    .values({
      user_id: key.userId,
      vendor: key.vendor,
      domain: key.domain,
      process_id: by.processId,
      attempt: by.attempt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'vendor', 'domain'])
        .doUpdateSet({
          state: 'asked',
          process_id: by.processId,
          attempt: by.attempt,
          people: '[]',
          credits: 0,
          asked_at: sql<Date>`now()`,
          answered_at: null,
        })
        // An expired purchase counts as none.
        .where(
          sql<boolean>`contact_purchases.asked_at <= now() - make_interval(days => ${sql.lit(PURCHASE_KEPT_DAYS)})`,
        ),
    )
    .returningAll()
    .executeTakeFirst();

/** Stores the answer, even one that arrives after the intent was marked uncertain. */
export async function recordPurchase(
  trx: Transaction<Database>,
  key: PurchaseKey,
  answer: { people: readonly BoughtPerson[]; credits: number },
): Promise<void> {
  await purchase(trx, key)
    .set({
      state: 'answered',
      people: JSON.stringify(answer.people),
      credits: answer.credits,
      answered_at: new Date(),
    })
    .execute();
}

/** Certainly nothing was bought: the intent may be written again. */
export async function withdrawIntent(
  db: Kysely<Database>,
  key: PurchaseKey,
  attempt: string,
): Promise<void> {
  await db
    .deleteFrom('contact_purchases')
    .where('user_id', '=', key.userId)
    .where('vendor', '=', key.vendor)
    .where('domain', '=', key.domain)
    .where('state', '=', 'asked')
    .where('attempt', '=', attempt)
    .execute();
}

export async function markUncertain(db: Kysely<Database>, key: PurchaseKey): Promise<void> {
  await purchase(db, key).set({ state: 'uncertain' }).where('state', '=', 'asked').execute();
}

/** Marks intents of earlier attempts: the attempt has died, and whether anything was bought is unknown. */
export async function markLostIntents(
  db: Kysely<Database>,
  processId: number,
  attempt: string,
): Promise<number> {
  const lost = await db
    .updateTable('contact_purchases')
    .set({ state: 'uncertain' })
    .where('process_id', '=', processId)
    .where('state', '=', 'asked')
    .where('attempt', '<>', attempt)
    .returning('domain')
    .execute();
  return lost.length;
}

/** Whether an attempt may still be waiting for this answer. */
export const isUnderWay = ({ state, asked_at }: ContactPurchase, now: Date): boolean =>
  state === 'asked' && now.getTime() - asked_at.getTime() < UNDER_WAY_MINUTES * 60_000;

const purchase = (db: Kysely<Database>, { userId, vendor, domain }: PurchaseKey) =>
  db
    .updateTable('contact_purchases')
    .where('user_id', '=', userId)
    .where('vendor', '=', vendor)
    .where('domain', '=', domain);
