/** The DKIM keys of domains: the one that signs, the next one, and the record of the one before. */
import { sql, type Kysely } from 'kysely';
import { MANUAL_PROVIDER } from '../../domain/domains/domain-management.ts';
import type { Database } from '../tables.ts';

/** What the sealed DKIM keys of a domain are bound to. */
export const dkimBinding = (domainId: number) => `domain:${domainId}:dkim`;

/** The private half is sealed. */
export interface DkimKey {
  selector: string;
  sealedPrivateKey: Buffer;
  publicKey: string;
}

/** Keeps the first DKIM key that is made for the domain. */
export async function setDkimKey(db: Kysely<Database>, id: number, key: DkimKey): Promise<void> {
  await db
    .updateTable('domains')
    .set({
      dkim_selector: key.selector,
      dkim_private_key: key.sealedPrivateKey,
      dkim_public_key: key.publicKey,
      dkim_since: new Date(),
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('dkim_private_key', 'is', null)
    .execute();
}

/** Keeps the first next key that is made. */
export async function setNextDkimKey(
  db: Kysely<Database>,
  id: number,
  key: DkimKey,
): Promise<void> {
  await db
    .updateTable('domains')
    .set({
      next_dkim_selector: key.selector,
      next_dkim_private_key: key.sealedPrivateKey,
      next_dkim_public_key: key.publicKey,
      next_dkim_seen_at: null,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('next_dkim_selector', 'is', null)
    .execute();
}

/** When the record of the next key was first seen; null takes it back. */
export async function noteNextDkimSeen(
  db: Kysely<Database>,
  id: number,
  at: Date | null,
): Promise<void> {
  await db.updateTable('domains').set({ next_dkim_seen_at: at }).where('id', '=', id).execute();
}

/** The next key signs from now on; the record of the one before stays until `oldUntil`. */
export async function switchDkimKey(
  db: Kysely<Database>,
  { id, selector, now, oldUntil }: { id: number; selector: string; now: Date; oldUntil: Date },
): Promise<void> {
  await db
    .updateTable('domains')
    .set({
      old_dkim_selector: sql`dkim_selector`,
      old_dkim_until: oldUntil,
      dkim_selector: sql`next_dkim_selector`,
      dkim_private_key: sql`next_dkim_private_key`,
      dkim_public_key: sql`next_dkim_public_key`,
      dkim_since: now,
      next_dkim_selector: null,
      next_dkim_private_key: null,
      next_dkim_public_key: null,
      next_dkim_seen_at: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('next_dkim_selector', '=', selector)
    .execute();
}

/** The record of the key before is withdrawn. */
export async function forgetOldDkimKey(
  db: Kysely<Database>,
  id: number,
  selector: string,
): Promise<void> {
  await db
    .updateTable('domains')
    .set({ old_dkim_selector: null, old_dkim_until: null, updated_at: new Date() })
    .where('id', '=', id)
    .where('old_dkim_selector', '=', selector)
    .execute();
}

/** The records of ours that hold keys under this selector. */
export const listDkimRecords = (db: Kysely<Database>, domainId: number, selector: string) =>
  db
    .selectFrom('published_records')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('type', '=', 'TXT')
    .where('name', '=', `${selector}._domainkey`)
    .orderBy('id')
    .execute();

/**
 * Domains of active clusters whose DKIM key is older than `olderThan` (null: keys stay), or whose rotation is
 * under way; by id. Records of domains that their owner manages elsewhere are not ours to change.
 */
export const listDkimRotations = (
  db: Kysely<Database>,
  page: { afterId: number; limit: number; olderThan: Date | null; now: Date },
): Promise<{ domainId: number; registrar: string }[]> =>
  db
    .selectFrom('domains')
    .select(['id as domainId', 'provider as registrar'])
    .where('id', '>', page.afterId)
    .where('status', '=', 'active')
    .where('provider', '!=', MANUAL_PROVIDER)
    .where('dkim_selector', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('next_dkim_selector', 'is not', null),
        eb('old_dkim_until', '<=', page.now),
        eb.and([eb('old_dkim_until', 'is', null), eb('dkim_since', '<', page.olderThan)]),
      ]),
    )
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('clusters')
          .select('clusters.id')
          .whereRef('clusters.domain_id', '=', 'domains.id')
          .where('clusters.status', '=', 'active'),
      ),
    )
    .orderBy('id')
    .limit(page.limit)
    .execute();
