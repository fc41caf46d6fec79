/** Wire shapes of tracking domains. Choice 131. */
import { z } from 'zod';
import {
  cnameTargetOf,
  TRACKING_DOMAIN_STATUSES,
  trackingNameOf,
} from '../../domain/domains/tracking-domains.ts';
import { timestamp } from '../../http/schemas.ts';
import type { TrackingDomain } from '../../services/domains/tracking-domains.ts';

const MAX_NAME = 253;

export const trackingDomainOrder = z.object({
  name: z
    .string()
    .max(MAX_NAME)
    .transform((text, ctx) => {
      const name = trackingNameOf(text);
      if (name !== undefined) return name;
      const message = 'must be a name below a domain of yours, such as links.example.com';
      ctx.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({
      description:
        'Below a domain of yours, which need not be one of the account: `links.example.com`.',
    }),
});

export const trackingDomain = z
  .object({
    id: z.int(),
    name: z.string(),
    status: z
      .enum(TRACKING_DOMAIN_STATUSES)
      .describe(
        '`pending`: its record or its certificate is not there yet. `active`: new messages of campaigns that ' +
          'name it have their links on it. `failing`: it was active; new messages have links on the ' +
          'installation’s own name until it is again.',
      ),
    record: z
      .object({ type: z.literal('CNAME'), name: z.string(), value: z.string() })
      .describe('What you set in the DNS of the domain, and leave there.'),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe(
        'Why it is not active, or what hinders the renewal of its certificate: `CNAME_MISSING`, `CNAME_WRONG`, ' +
          '`DNS_UNAVAILABLE`, `CERTIFICATE_PENDING`, `CERTIFICATE_REFUSED`, `AUTHORITY_UNAVAILABLE`, ' +
          '`TRACKING_DOMAINS_OFF`, `WORK_FAILED`.',
      ),
    checkedAt: timestamp.nullable(),
    certificateExpiresAt: timestamp
      .nullable()
      .describe('It is renewed with a third of its life left, at most 30 days before.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'TrackingDomain' });

export const presentTrackingDomain = (
  row: TrackingDomain,
  linksHost: string,
): z.input<typeof trackingDomain> => ({
  id: row.id,
  name: row.name,
  status: row.status,
  record: { type: 'CNAME', name: row.name, value: cnameTargetOf(row.dns_token, linksHost) },
  error:
    row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  checkedAt: row.checked_at?.toISOString() ?? null,
  certificateExpiresAt: row.certificate_expires_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
