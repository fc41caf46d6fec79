/** Wire shapes of API keys. Spec: API keys. */
import { z } from 'zod';
import { MODES, type Mode } from '../../domain/accounts/modes.ts';
import { whitelistProblem } from '../../http/ip-whitelist.ts';
import { timestamp } from '../../http/schemas.ts';
import { permissionsOf, SCOPES } from '../../http/scopes.ts';
import type * as apiKeys from '../../services/accounts/api-keys.ts';

type KeyRow = Awaited<ReturnType<typeof apiKeys.getKey>>;

/**
 * Key ids are short strings; any other text is no key's id and 404. Cut to the length that an index can
 * hold.
 */
export const keyParams = z.object({ id: z.string().transform((id) => id.slice(0, 64)) });

export const ipWhitelist = z
  .array(
    z
      .string()
      .max(64)
      .check((entry) => {
        const problem = whitelistProblem(entry.value);
        if (problem) entry.issues.push({ code: 'custom', message: problem, input: entry.value });
      }),
  )
  .max(64)
  .meta({ description: 'IPv4 or IPv6 addresses or CIDR ranges; empty = any address' });

export const scopes = z.array(z.enum(SCOPES)).max(SCOPES.length);
export const expiresAt = z.iso
  .datetime({ offset: true })
  .refine((text) => {
    const time = Date.parse(text);
    return time > Date.now() && time < Date.UTC(9999, 11, 31);
  }, 'must be in the future')
  .transform((text) => new Date(text))
  .nullable();

const keyFields = {
  id: z.string(),
  name: z.string(),
  mode: z.enum(MODES).describe('A key of `test` begins with `svc_test_`.'),
  createdAt: timestamp,
  ipWhitelist: z.array(z.string()),
  scopes: z.array(z.string()),
  permissions: z.array(z.string()).describe('All that its scopes let it do.'),
  expiresAt: timestamp.nullable(),
};

export const listedKey = z
  .object({
    ...keyFields,
    prefix: z.string().meta({ description: 'The first characters of the key' }),
    last4: z.string(),
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });

const fullKey = z.string().meta({ description: 'The full key; shown here and never again' });
export const createdKey = z.object({ ...keyFields, key: fullKey }).meta({ id: 'CreatedApiKey' });
export const rotatedKey = z
  .object({ ...keyFields, key: fullKey, previousKeyExpiresAt: timestamp })
  .meta({ id: 'RotatedApiKey' });

export const present = (row: KeyRow, mode: Mode) => ({
  id: row.id,
  name: row.name,
  mode,
  createdAt: row.created_at.toISOString(),
  ipWhitelist: row.ip_whitelist,
  scopes: row.scopes,
  permissions: permissionsOf(row.scopes),
  expiresAt: row.expires_at?.toISOString() ?? null,
});

export const presentListed = (row: KeyRow, mode: Mode) => ({
  ...present(row, mode),
  prefix: row.prefix,
  last4: row.last4,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});
