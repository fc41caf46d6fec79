/** Shapes that the routes of domains share. Spec: Domains. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { problemOf } from '../../domain/client-words.ts';
import { timestamp } from '../../http/schemas.ts';
import type { DomainView } from '../../services/domains/domains-views.ts';

/** Name of a configured registrar; absent = the default one. */
export const registrarName = ({ registrars }: Pick<Context, 'registrars'>) =>
  z
    .string()
    .max(64)
    .refine((name) => Object.hasOwn(registrars, name), {
      message: `must be one of: ${Object.keys(registrars).join(', ')}`,
    })
    .optional();

export const domainStatuses = ['unverified', 'pending', 'active', 'failed'] as const;

const problem = z.object({ code: z.string(), message: z.string() });

export const domain = z
  .object({
    id: z.int(),
    domain: z.string(),
    provider: z.string(),
    isActive: z.boolean(),
    status: z.enum(domainStatuses),
    purchasedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
    autoRenew: z.boolean(),
    renewal: z
      .object({
        status: z.enum(['pending', 'done', 'failed']),
        expiresAt: timestamp,
        newExpiresAt: timestamp.nullable(),
        error: problem.nullable(),
      })
      .nullable(),
    verification: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .nullable(),
    error: problem.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Domain' });

export function presentDomain({
  domain: row,
  renewal,
  verification,
}: DomainView): z.input<typeof domain> {
  return {
    id: row.id,
    domain: row.name,
    provider: row.provider,
    isActive: row.status === 'active',
    status: row.status,
    purchasedAt: row.purchased_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    autoRenew: row.auto_renew,
    renewal: renewal && {
      status: renewal.state,
      expiresAt: renewal.expires_at.toISOString(),
      newExpiresAt: renewal.new_expires_at?.toISOString() ?? null,
      error: problemOf(renewal, row.name),
    },
    verification,
    error: problemOf(row, row.name),
    createdAt: row.created_at.toISOString(),
  };
}
