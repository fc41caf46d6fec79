/** Consents that people are asked for in their browsers: each is answered once, and in time. Choice 132. */
import { createHash } from 'node:crypto';
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Cipher } from '../../domain/cipher.ts';
import type { OauthProvider } from '../../domain/mailboxes/oauth.ts';
import type { Database } from '../tables.ts';
import type { OauthConsentsTable, WantedMailbox } from './oauth-tables.ts';

/** What the vendor's answer is held against. */
export interface ConsentSecret {
  codeVerifier: string;
  nonce: string;
}

/** What its sealed secret is bound to. */
export const consentBinding = (digest: string) => `oauth-consent:${digest}`;

const digestOf = (state: string): string => createHash('sha256').update(state).digest('hex');

/** Rows that are over are kept so long: who comes late is told so. */
const KEPT = sql`interval '1 day'`;

export async function insertConsent(
  trx: Transaction<Database>,
  { cipher, userId }: { cipher: Cipher; userId: string },
  consent: {
    state: string;
    provider: OauthProvider;
    secret: ConsentSecret;
    wanted: WantedMailbox;
    expiresAt: Date;
  },
): Promise<void> {
  const digest = digestOf(consent.state);
  await sql`delete from oauth_consents where digest in (
    select digest from oauth_consents where expires_at < now() - ${KEPT}
    limit 100 for update skip locked)`.execute(trx);
  await trx
    .insertInto('oauth_consents')
    .values({
      digest,
      user_id: userId,
      provider: consent.provider,
      secret: cipher.seal(JSON.stringify(consent.secret), consentBinding(digest)),
      wanted: JSON.stringify(consent.wanted),
      expires_at: consent.expiresAt,
      used_at: null,
    })
    .execute();
}

export type AskedConsent = Selectable<OauthConsentsTable> & {
  /** Undefined: it was answered before. */
  known: ConsentSecret | undefined;
};

/** The consent of this `state`, which is used up by that. Undefined where there is none. */
export const takeConsent = (
  { db, cipher }: { db: Kysely<Database>; cipher: Cipher },
  state: string,
  now: Date,
): Promise<AskedConsent | undefined> =>
  db.transaction().execute(async (trx) => {
    const digest = digestOf(state);
    const row = await trx
      .selectFrom('oauth_consents')
      .selectAll()
      .where('digest', '=', digest)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return undefined;
    await trx
      .updateTable('oauth_consents')
      .set({ used_at: row.used_at ?? now, secret: null })
      .where('digest', '=', digest)
      .execute();
    const known =
      row.secret === null
        ? undefined
        : (JSON.parse(cipher.open(row.secret, consentBinding(digest))) as ConsentSecret);
    return { ...row, known };
  });
