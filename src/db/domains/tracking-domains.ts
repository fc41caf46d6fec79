/** Tracking domains: their rows. Choice 131. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { TrackingDomainStatus, Trouble } from '../../domain/domains/tracking-domains.ts';
import type { Database } from '../tables.ts';
import type { TrackingDomainsTable } from './domain-tables.ts';

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

/** Without its keys. */
export type TrackingDomain = Omit<
  Selectable<TrackingDomainsTable>,
  'certificate_key' | 'order_key' | 'challenge_answer'
>;

const COLUMNS = [
  'id',
  'user_id',
  'name',
  'dns_token',
  'status',
  'run',
  'error_code',
  'error_message',
  'checked_at',
  'proven_at',
  'certificate_pem',
  'certificate_expires_at',
  'order_url',
  'challenge_token',
  'refusals',
  'refused_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const;

const all = (db: Db) => db.selectFrom('tracking_domains').select(COLUMNS);
const ofUser = (db: Db, userId: string) =>
  all(db).where('user_id', '=', userId).where('deleted_at', 'is', null);

/** Undefined where the account has the name already. */
export const insertTrackingDomain = (
  trx: Trx,
  { userId, name, dnsToken }: { userId: string; name: string; dnsToken: string },
): Promise<TrackingDomain | undefined> =>
  trx
    .insertInto('tracking_domains')
    .values({ user_id: userId, name, dns_token: dnsToken })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'name']).where('deleted_at', 'is', null).doNothing(),
    )
    .returning(COLUMNS)
    .executeTakeFirst();

export const findUserTrackingDomain = (
  db: Db,
  userId: string,
  id: number,
): Promise<TrackingDomain | undefined> =>
  ofUser(db, userId).where('id', '=', id).executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockUserTrackingDomain = (
  trx: Trx,
  userId: string,
  id: number,
): Promise<TrackingDomain | undefined> =>
  ofUser(trx, userId).where('id', '=', id).forUpdate().executeTakeFirst();

/** All that exist, and those of the last day: each has asked for a certificate. */
export async function countTrackingDomains(trx: Trx, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('tracking_domains')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where((eb) =>
      eb('deleted_at', 'is', null).or('created_at', '>', sql<Date>`now() - interval '1 day'`),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The next look asks the authority again, unless the refusal is younger than this. */
export async function forgiveRefusal(trx: Trx, id: number, before: Date): Promise<void> {
  await trx
    .updateTable('tracking_domains')
    .set({ refused_at: null, updated_at: new Date() })
    .where('id', '=', id)
    .where('refused_at', '<', before)
    .execute();
}

/** By id. */
export const listTrackingDomains = (db: Db, userId: string): Promise<TrackingDomain[]> =>
  ofUser(db, userId).orderBy('id').execute();

export const getTrackingDomain = (db: Db, id: number): Promise<TrackingDomain> =>
  all(db).where('id', '=', id).executeTakeFirstOrThrow();

export async function beginTrackingRun(trx: Trx, id: number): Promise<number> {
  const { run } = await trx
    .updateTable('tracking_domains')
    .set(({ eb }) => ({
      run: eb('run', '+', 1),
      error_code: null,
      error_message: null,
      updated_at: new Date(),
    }))
    .where('id', '=', id)
    .returning('run')
    .executeTakeFirstOrThrow();
  return run;
}

/** Campaigns that may still send are named; those that are over forget it. */
export async function listCampaignsOnDomain(trx: Trx, id: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('campaigns')
    .select('id')
    .where('tracking_domain_id', '=', id)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'active')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Its certificate stays, for links of messages that were sent. */
export async function deleteTrackingDomain(trx: Trx, id: number): Promise<void> {
  const now = new Date();
  await trx
    .updateTable('tracking_domains')
    .set({ deleted_at: now, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute();
  await trx
    .updateTable('campaigns')
    .set({ tracking_domain_id: null, updated_at: now })
    .where('tracking_domain_id', '=', id)
    .execute();
}

/**
 * `https://links.acme.com` while the name works; undefined: links are on the installation's own name. So are all while
 * `linksHost` (LINKS_HOST) is unset: nobody listens then, whatever the last look has shown. Choice 134.
 */
export async function findLinkOrigin(
  db: Db,
  trackingDomainId: number | null,
  linksHost: string | undefined,
): Promise<string | undefined> {
  if (trackingDomainId === null || linksHost === undefined) return undefined;
  const row = await db
    .selectFrom('tracking_domains')
    .select('name')
    .where('id', '=', trackingDomainId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    // What nobody serves any more is in no message, whenever it is looked at.
    .where('certificate_expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row && `https://${row.name}`;
}

export interface Verdict {
  status: TrackingDomainStatus;
  trouble: Trouble | null;
  at: Date;
  /** The record was found, with a certificate that is valid. */
  isProven: boolean;
}

/** What a look has shown; answers the status of before. Undefined: it was deleted meanwhile, and stays as it is. */
export async function noteVerdict(
  trx: Trx,
  id: number,
  { status, trouble, at, isProven }: Verdict,
): Promise<TrackingDomainStatus | undefined> {
  const before = await lockTrackingDomain(trx, id);
  if (before.deleted_at !== null) return undefined;
  await trx
    .updateTable('tracking_domains')
    .set({
      status,
      error_code: trouble?.code ?? null,
      error_message: trouble?.message ?? null,
      checked_at: at,
      ...(isProven && { proven_at: at }),
      updated_at: at,
    })
    .where('id', '=', id)
    .execute();
  return before.status;
}

/** Others that have the name lose it: whoever sets its record decides. */
export const listRivals = (db: Db, { id, name }: { id: number; name: string }) =>
  all(db)
    .where('name', '=', name)
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'active')
    .orderBy('id')
    .execute();

/** The row, locked until the transaction ends. */
export const lockTrackingDomain = (trx: Trx, id: number): Promise<TrackingDomain> =>
  all(trx).where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
