/** Consents that were given, and their tokens, sealed. Of each an access token is got once at a time. Choice 132. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Cipher } from '../../domain/cipher.ts';
import type { OauthGrant } from '../../domain/mailboxes/oauth.ts';
import type { Database } from '../tables.ts';
import type { OauthGrantsTable } from './oauth-tables.ts';

export type GrantRow = Selectable<OauthGrantsTable>;

/** What its sealed tokens are bound to. */
export const refreshTokenBinding = (grantId: string) => `oauth-grant:${grantId}:refresh`;
export const accessTokenBinding = (grantId: string) => `oauth-grant:${grantId}:access`;

/** An access token, and until when it is used: some time before it expires. */
export interface UsableToken {
  value: string;
  usableUntil: Date;
}

export async function insertGrant(
  trx: Transaction<Database>,
  { cipher, mailboxId }: { cipher: Cipher; mailboxId: number },
  { grantId, provider }: OauthGrant,
  given: { refreshToken: string; subject: string; access: UsableToken },
): Promise<void> {
  const { refreshToken, subject, access } = given;
  await trx
    .insertInto('oauth_grants')
    .values({
      id: grantId,
      mailbox_id: mailboxId,
      provider,
      subject,
      refresh_token: cipher.seal(refreshToken, refreshTokenBinding(grantId)),
      access_token: cipher.seal(access.value, accessTokenBinding(grantId)),
      usable_until: access.usableUntil,
      refreshing_until: null,
    })
    .execute();
}

export const findGrant = (db: Kysely<Database>, grantId: string): Promise<GrantRow | undefined> =>
  db.selectFrom('oauth_grants').selectAll().where('id', '=', grantId).executeTakeFirst();

export async function hasGrants(db: Kysely<Database>, mailboxId: number): Promise<boolean> {
  const query = db.selectFrom('oauth_grants').select('id').where('mailbox_id', '=', mailboxId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** All of a mailbox: that of its login, and that of one that is being proven. */
export const listGrants = (db: Kysely<Database>, mailboxId: number): Promise<GrantRow[]> =>
  db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('mailbox_id', '=', mailboxId)
    .orderBy('created_at')
    .execute();

/**
 * Whether another mailbox that is in use, of whichever account, has a consent of the same person at the same vendor:
 * there it is one consent. Rows that do not name the person are compared by their address.
 */
export async function isGrantShared(db: Kysely<Database>, grant: GrantRow): Promise<boolean> {
  const { rows } = await sql`
    select from oauth_grants other
      join mailboxes on mailboxes.id = other.mailbox_id
      join mailboxes own on own.id = ${grant.mailbox_id}
    where other.provider = ${grant.provider} and other.mailbox_id <> own.id
      and mailboxes.status in ('pending', 'active')
      and (other.subject = ${grant.subject}
        or (other.subject is null or ${grant.subject}::text is null) and mailboxes.email = own.email)
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Forgets all consents of a mailbox but this one. */
export async function keepGrant(
  trx: Transaction<Database>,
  mailboxIds: readonly number[],
  grantId?: string,
): Promise<void> {
  if (mailboxIds.length === 0) return;
  const others = trx.deleteFrom('oauth_grants').where('mailbox_id', 'in', [...mailboxIds]);
  await (grantId === undefined ? others : others.where('id', '!=', grantId)).execute();
}

/**
 * Claims to get another access token than that of `seen`, for so long. Undefined where somebody else does, or has.
 */
export const claimRefresh = (
  db: Kysely<Database>,
  seen: GrantRow,
  leaseMs: number,
): Promise<GrantRow | undefined> =>
  db
    .updateTable('oauth_grants')
    // A Date has no smaller parts.
    .set({
      refreshing_until: sql<Date>`date_trunc('milliseconds',
        clock_timestamp() + ${leaseMs} * interval '1 millisecond')`,
    })
    .where('id', '=', seen.id)
    .where(sql<boolean>`access_token is not distinct from ${seen.access_token}::bytea`)
    .where(sql<boolean>`coalesce(refreshing_until < clock_timestamp(), true)`)
    .returningAll()
    .executeTakeFirst();

/** Ends a claim with what came of it. One that was taken over meanwhile changes nothing any more. */
export async function endRefresh(
  { db, cipher }: { db: Kysely<Database>; cipher: Cipher },
  { id, refreshing_until: claimed }: GrantRow,
  got: { access?: UsableToken | null; refreshToken?: string | undefined },
): Promise<void> {
  const { access, refreshToken } = got;
  await db
    .updateTable('oauth_grants')
    .set({
      refreshing_until: null,
      ...(access !== undefined && {
        access_token: access && cipher.seal(access.value, accessTokenBinding(id)),
        usable_until: access && access.usableUntil,
      }),
      ...(refreshToken !== undefined && {
        refresh_token: cipher.seal(refreshToken, refreshTokenBinding(id)),
      }),
    })
    .where('id', '=', id)
    .where('refreshing_until', '=', claimed)
    .execute();
}
