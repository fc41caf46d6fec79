/** On whose name the links of a campaign's messages are. Choice 131. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import { findLinkOrigin, findUserTrackingDomain } from '../../db/domains/tracking-domains.ts';
import type { Database } from '../../db/tables.ts';
import { namesNothing } from '../../domain/errors.ts';
import { PREVIEW_TOKEN } from '../../domain/sending/recipient-links.ts';

/** It must be the caller's own; one that is not active yet may be chosen. */
export async function checkTrackingDomain(
  trx: Transaction<Database>,
  userId: string,
  id: number | null | undefined,
): Promise<void> {
  if (id === null || id === undefined) return;
  if (await findUserTrackingDomain(trx, userId, id)) return;
  throw namesNothing('tracking domain', { field: 'trackingDomainId', ids: [id] });
}

/** The links of a message that was never sent: they unsubscribe nobody. */
export async function previewLinks(
  { db, config }: Pick<Context, 'db' | 'config'>,
  campaign: Campaign,
) {
  const origin = await findLinkOrigin(db, campaign.tracking_domain_id, config.LINKS_HOST);
  const base = origin ?? config.PUBLIC_URL.replace(/\/+$/, '');
  return { unsubscribeUrl: `${base}/u/${PREVIEW_TOKEN}`, unsubscribeToken: PREVIEW_TOKEN };
}
