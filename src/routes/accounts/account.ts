/** The account: what messages must say about their sender. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { MODES, type Mode } from '../../domain/accounts/modes.ts';
import { canonicalTimeZone } from '../../domain/time-zone.ts';
import { route, type Route } from '../../http/route.ts';
import { oneLineText, timestamp } from '../../http/schemas.ts';
import { changeAccount, getAccount } from '../../services/accounts/accounts.ts';

type Needs = Pick<Context, 'db' | 'config'>;
type Row = Awaited<ReturnType<typeof getAccount>>;

const tag = 'Account';

const account = z
  .object({
    userId: z.string(),
    email: z.string(),
    mode: z.enum(MODES).describe('`test`: nothing of it is real or costs money.'),
    senderName: z.string().nullable(),
    postalAddress: z.string().nullable(),
    timezone: z.string(),
    useLanguageModel: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'Account' });

const changes = z.object({
  senderName: oneLineText.nullable().optional(),
  postalAddress: z.string().trim().min(1).max(1_000).nullable().optional(),
  timezone: z
    .string()
    .max(64)
    .refine((name) => canonicalTimeZone(name) !== undefined, 'must be an IANA time zone')
    .transform((name) => canonicalTimeZone(name)!)
    .optional(),
  useLanguageModel: z
    .boolean()
    .describe(
      'Whether answers of which the rules are not sure may be sent to a language model, where the installation ' +
        'has one. False: none is sent from then on, and those that wait are not.',
    )
    .optional(),
});

export const accountRoutes = (context: Needs): Route[] => [
  route({
    method: 'get',
    path: '/v1/account',
    operationId: 'account.read',
    tag,
    status: 200,
    errors: { 404: ['ACCOUNT_NOT_FOUND'] },
    summary: 'Shows the account',
    response: account,
    handler: async ({ user }) => present(context, await getAccount(context, user.userId)),
  }),
  route({
    method: 'patch',
    path: '/v1/account',
    operationId: 'account.update',
    tag,
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['ACCOUNT_NOT_FOUND'] },
    summary: 'Changes what messages say about their sender',
    description:
      'Fields that are not given stay as they are; `null` empties a field. While a campaign is ' +
      'active, `senderName` and `postalAddress` cannot be emptied: 400 `INVALID_STATE`.',
    body: changes,
    response: account,
    handler: async ({ body, user }) =>
      present(context, await changeAccount(context, user.userId, body)),
  }),
];

const present = ({ config }: Needs, row: Row) => ({
  userId: row.user_id,
  email: row.email,
  mode: config.OUTREACH_MODE satisfies Mode,
  senderName: row.sender_name,
  postalAddress: row.postal_address,
  timezone: row.timezone,
  useLanguageModel: row.use_language_model,
  createdAt: row.created_at.toISOString(),
});
