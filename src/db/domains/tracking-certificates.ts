/** Certificates of tracking domains: orders under way, challenges, keys, and which one a name is served with. */
import { sql, type Kysely } from 'kysely';
import type { Cipher } from '../../domain/cipher.ts';
import type { Database } from '../tables.ts';

type Db = Kysely<Database>;
interface Vault {
  db: Db;
  cipher: Cipher;
}

/** What a sealed key of a certificate is bound to. */
export const trackingKeyBinding = (id: number) => `tracking-domain:${id}:key`;
/** What the sealed key of our account at an authority is bound to. */
export const acmeAccountBinding = (directoryUrl: string) => `acme-account:${directoryUrl}:key`;

/** The key (PEM) of our account at this authority; the first one to ask keeps what `make` has made. */
export async function acmeAccountKey(
  { db, cipher }: Vault,
  directoryUrl: string,
  make: () => Promise<string>,
): Promise<string> {
  const find = () =>
    db
      .selectFrom('acme_accounts')
      .select('private_key')
      .where('directory_url', '=', directoryUrl)
      .executeTakeFirst();
  const known = await find();
  if (known) return cipher.open(known.private_key, acmeAccountBinding(directoryUrl));
  await db
    .insertInto('acme_accounts')
    .values({
      directory_url: directoryUrl,
      private_key: cipher.seal(await make(), acmeAccountBinding(directoryUrl)),
    })
    .onConflict((conflict) => conflict.column('directory_url').doNothing())
    .execute();
  return cipher.open((await find())!.private_key, acmeAccountBinding(directoryUrl));
}

export interface CertificateOrderRow {
  url: string;
  /** Of the certificate that is ordered; PEM. */
  privateKeyPem: string;
}

export async function findOrder(
  { db, cipher }: Vault,
  id: number,
): Promise<CertificateOrderRow | undefined> {
  const row = await db
    .selectFrom('tracking_domains')
    .select(['order_url', 'order_key'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row?.order_url || !row.order_key) return undefined;
  const privateKeyPem = cipher.open(row.order_key, trackingKeyBinding(id));
  return { url: row.order_url, privateKeyPem };
}

/** Kept before the authority is asked for anything else: who comes after a crash goes on with it. */
export const noteOrder = ({ db, cipher }: Vault, id: number, order: CertificateOrderRow) =>
  change(db, id, {
    ...NO_ORDER,
    order_url: order.url,
    order_key: cipher.seal(order.privateKeyPem, trackingKeyBinding(id)),
  });

/** From now on the name answers it. */
export const noteChallenge = (
  db: Db,
  id: number,
  { token, keyAuthorization }: { token: string; keyAuthorization: string },
) => change(db, id, { challenge_token: token, challenge_answer: keyAuthorization });

const NO_ORDER = {
  order_url: null,
  order_key: null,
  challenge_token: null,
  challenge_answer: null,
} as const;

/** The authority has refused the order. */
export const noteRefusal = (db: Db, id: number, { at }: { at: Date }) =>
  change(db, id, { ...NO_ORDER, refusals: sql<number>`refusals + 1`, refused_at: at });

/** The order has ended in this certificate. Safe to repeat. */
export const noteCertificate = (
  db: Db,
  id: number,
  { pem, expiresAt }: { pem: string; expiresAt: Date },
) =>
  change(db, id, {
    ...NO_ORDER,
    certificate_pem: pem,
    certificate_key: sql<Buffer | null>`coalesce(order_key, certificate_key)`,
    certificate_expires_at: expiresAt,
    refusals: 0,
    refused_at: null,
  });

async function change(db: Db, id: number, values: object): Promise<void> {
  await db
    .updateTable('tracking_domains')
    .set({ ...values, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

export interface ServedCertificate {
  certificatePem: string;
  privateKeyPem: string;
}

/**
 * What a name is served with; undefined for one that is nobody's. Also a deleted name's, until it ends: links of
 * messages that were sent still work. Of several accounts the one that has proven the name last.
 */
export async function findServedCertificate(
  { db, cipher }: Vault,
  name: string,
  now: Date,
): Promise<ServedCertificate | undefined> {
  const row = await db
    .selectFrom('tracking_domains')
    .select(['id', 'certificate_pem', 'certificate_key'])
    .where('name', '=', name)
    .where('certificate_key', 'is not', null)
    .where('certificate_expires_at', '>', now)
    .where('proven_at', 'is not', null)
    .orderBy('proven_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row?.certificate_pem || !row.certificate_key) return undefined;
  const privateKeyPem = cipher.open(row.certificate_key, trackingKeyBinding(row.id));
  return { certificatePem: row.certificate_pem, privateKeyPem };
}

/** What the name answers the authority; undefined for a token that was not asked for there. */
export async function findChallengeAnswer(
  db: Db,
  { name, token }: { name: string; token: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('tracking_domains')
    .select('challenge_answer')
    .where('name', '=', name)
    .where('challenge_token', '=', token)
    .executeTakeFirst();
  return row?.challenge_answer ?? undefined;
}
