/** Wire shapes of seed mailboxes. Choice 123. */
import { z } from 'zod';
import { presetOf } from '../../domain/mailboxes/mail-servers.ts';
import { SEED_PROVIDERS, type SeedOrder } from '../../domain/placement/placement.ts';
import { timestamp } from '../../http/schemas.ts';
import type { PlacementSeed } from '../../services/placement/placement-seeds.ts';
import {
  imapServer,
  mailAddress,
  ownPassword,
  username,
  withTls,
} from '../mailboxes/connection-shapes.ts';

const provider = z
  .enum(SEED_PROVIDERS)
  .describe('Results are told by it. All but `other` know their IMAP server.');

export const seedOrder = z
  .object({
    address: mailAddress.describe('Where tests write to.'),
    provider,
    password: ownPassword.describe('Mostly an app password. Never shown again.'),
    username: username.optional().describe('Default: the address.'),
    imap: imapServer.optional().describe('Default: the server of the provider.'),
  })
  .superRefine((body, ctx) => {
    if (body.provider !== 'other' || body.imap !== undefined) return;
    const message = 'imap is required for the provider other';
    ctx.addIssue({ code: 'custom', path: ['imap'], message });
  });

export const seedChange = z
  .object({ provider, password: ownPassword, username, imap: imapServer })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'nothing to change',
  });

export function seedOrderOf(body: z.output<typeof seedOrder>): SeedOrder {
  const { address, provider: name, password } = body;
  const imap = withTls(body.imap) ?? presetOf(name)!.imap;
  return { address, provider: name, password, username: body.username ?? address, imap };
}

export const seedChangeOf = ({ imap, ...change }: z.output<typeof seedChange>) => ({
  ...change,
  imap: withTls(imap),
});

export const placementSeed = z
  .object({
    id: z.int(),
    address: z.string(),
    provider: z.enum(SEED_PROVIDERS),
    username: z.string(),
    imap: z.object({ host: z.string(), port: z.int(), tls: z.enum(['tls', 'starttls']) }),
    status: z
      .enum(['unproven', 'working', 'failing'])
      .describe('What its last login has shown; a test logs in.'),
    checkedAt: timestamp.nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'PlacementSeed' });

export function presentSeed(seed: PlacementSeed): z.input<typeof placementSeed> {
  const { checked_at: checkedAt, error_code: code, error_message: message } = seed;
  const proven = code === null ? ('working' as const) : ('failing' as const);
  return {
    id: seed.id,
    address: seed.address,
    provider: seed.provider,
    username: seed.username,
    imap: seed.imap,
    status: checkedAt === null ? 'unproven' : proven,
    checkedAt: checkedAt?.toISOString() ?? null,
    error: code === null ? null : { code, message: message ?? '' },
    createdAt: seed.created_at.toISOString(),
    updatedAt: seed.updated_at.toISOString(),
  };
}
