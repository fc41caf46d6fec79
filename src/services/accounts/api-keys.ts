/** API keys: created, listed, changed, rotated without downtime, deleted. Spec: Authentication. */
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { AUDITED_FIELDS, difference, told } from '../../domain/accounts/audited-values.ts';
import { KEY_PREFIXES, modeOfKey, type Mode } from '../../domain/accounts/modes.ts';
import {
  countApiKeys,
  deleteApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  lockUser,
  replaceSecret,
  touchApiKey,
  updateApiKey,
  type ApiKeyRow,
  type NewSecret,
} from '../../db/accounts/api-keys.ts';
import { insertEvents } from '../../db/webhooks/events.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { invalid, notFound } from '../../domain/errors.ts';

type Needs = Pick<Context, 'db'>;
/** What makes secrets: they begin with the mode. */
type MakerNeeds = Needs & { config: Pick<Context['config'], 'OUTREACH_MODE'> };

/** Choice 44: the most keys of one user. */
const MAX_KEYS = 1_000;
/** The precision of a key's last use; one write per request would cost more than it is worth. */
const TOUCH_INTERVAL_MS = 60_000;
const REMEMBERED_KEYS = 10_000;

/** Spec: Authentication. Prefix svc_ (svc_test_ in test mode) followed by 64 hex characters. */
export const KEY_FORM = /^svc_(test_)?[0-9a-f]{64}$/;

/** How many of the digits lists show. */
const SHOWN_DIGITS = 4;

/** The part of a key that lists show. */
export const prefixOf = (key: string): string =>
  key.slice(0, KEY_PREFIXES[modeOfKey(key) ?? 'live'].length + SHOWN_DIGITS);

/** Keys are stored only as SHA-256 hashes. Spec: Authentication, rule 2. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

export interface KeySettings {
  name: string;
  ipWhitelist: string[];
  scopes: string[];
  expiresAt: Date | null;
}

/** The full key is in this answer and nowhere else. Spec: Authentication, rule 1. */
export async function createKey(
  context: MakerNeeds,
  userId: string,
  settings: KeySettings,
): Promise<{ row: ApiKeyRow; key: string }> {
  return commitOnce(context.db, async (trx) => {
    const { key, secret } = newSecret(context.config.OUTREACH_MODE);
    const id = `key_${randomBytes(12).toString('hex')}`;
    await lockUser(trx, userId);
    if ((await countApiKeys(trx, userId)) >= MAX_KEYS) {
      throw invalid('API_KEY_LIMIT', `An account holds at most ${MAX_KEYS} API keys`);
    }
    await insertApiKey(trx, { id, userId, ...settings }, secret);
    const row = await findApiKey(trx, userId, id);
    noteChange({ resourceId: id, after: told(AUDITED_FIELDS.apiKey, row!) });
    return { row: row!, key };
  });
}

export const listKeys = (
  context: Needs,
  userId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: ApiKeyRow[]; total: number }> => listApiKeys(context.db, userId, page);

export async function getKey(context: Needs, userId: string, id: string): Promise<ApiKeyRow> {
  const row = await findApiKey(context.db, userId, id);
  if (!row) throw notFound('API key');
  return row;
}

/** Fields that are not given stay as they are. */
export async function changeKey(
  context: Needs,
  userId: string,
  id: string,
  changes: { [K in keyof KeySettings]?: KeySettings[K] | undefined },
): Promise<ApiKeyRow> {
  return commitOnce(context.db, async (trx) => {
    const before = await getKey({ db: trx }, userId, id);
    await updateApiKey(trx, userId, id, {
      ...(changes.name !== undefined && { name: changes.name }),
      ...(changes.ipWhitelist !== undefined && { ip_whitelist: changes.ipWhitelist }),
      ...(changes.scopes !== undefined && { scopes: changes.scopes }),
      ...(changes.expiresAt !== undefined && { expires_at: changes.expiresAt }),
    });
    const row = await getKey({ db: trx }, userId, id);
    noteChange(difference(AUDITED_FIELDS.apiKey, before, row));
    return row;
  });
}

/** Spec: Authentication, rule 4. The id stays; the previous secret works during the grace period. */
export async function rotateKey(
  context: MakerNeeds,
  userId: string,
  id: string,
  graceHours: number,
): Promise<{ row: ApiKeyRow; key: string; previousKeyExpiresAt: Date }> {
  return commitOnce(context.db, async (trx) => {
    const { key, secret } = newSecret(context.config.OUTREACH_MODE);
    await lockUser(trx, userId);
    const before = await findApiKey(trx, userId, id);
    if (!before) throw notFound('API key');
    const previousKeyExpiresAt = await replaceSecret(trx, id, secret, graceHours * 3_600);
    const row = await findApiKey(trx, userId, id);
    const payload = { keyId: id, previousKeyExpiresAt: previousKeyExpiresAt.toISOString() };
    const resource = `api_key/${id}`;
    await insertEvents(trx, [{ userId, type: 'api_key.rotated', resource, payload }]);
    const after = { prefix: row!.prefix, previousKeyExpiresAt };
    noteChange({ before: { prefix: before.prefix }, after });
    return { row: row!, key, previousKeyExpiresAt };
  });
}

export async function deleteKey(context: Needs, userId: string, id: string): Promise<void> {
  await commitOnce(context.db, async (trx) => {
    const row = await getKey({ db: trx }, userId, id);
    if (!(await deleteApiKey(trx, userId, id))) throw notFound('API key');
    noteChange({ before: told(AUDITED_FIELDS.apiKey, row) });
  });
}

/** Records the use of a key at most once a minute; never delays a request or makes it fail. */
export function createKeyUse(context: Pick<Context, 'db' | 'logger'>): (keyId: string) => void {
  const touchedAt = new Map<string, number>();
  return (keyId) => {
    const now = performance.now();
    if (now - (touchedAt.get(keyId) ?? -Infinity) < TOUCH_INTERVAL_MS) return;
    if (touchedAt.size >= REMEMBERED_KEYS) touchedAt.clear();
    touchedAt.set(keyId, now);
    touchApiKey(context.db, keyId).catch((error: unknown) => {
      context.logger.warn({ err: error }, 'the last use of a key was not recorded');
    });
  };
}

function newSecret(mode: Mode): { key: string; secret: NewSecret } {
  const key = `${KEY_PREFIXES[mode]}${randomBytes(32).toString('hex')}`;
  return {
    key,
    secret: { hash: hashKey(key), prefix: prefixOf(key), last4: key.slice(-4) },
  };
}
