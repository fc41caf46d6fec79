/** The list of all routes; each area appends its own. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { accountRoutes } from './accounts/account.ts';
import { apiKeyRoutes } from './accounts/api-keys.ts';
import { auditLogRoutes } from './accounts/audit-log.ts';
import { campaignRoutes } from './campaigns/campaigns.ts';
import { clusterRoutes } from './clusters/clusters.ts';
import { llmsRoute, openApiRoute } from './docs.ts';
import { domainRoutes } from './domains/domains.ts';
import { healthRoutes } from './health.ts';
import { customFieldRoutes } from './leads/custom-fields.ts';
import { companyRoutes } from './leads/companies.ts';
import { emailValidationRoutes } from './email-validation/email-validation.ts';
import { inboxRoutes } from './inbox/inbox.ts';
import { leadExportRoutes } from './leads/lead-exports.ts';
import { leadImportRoutes } from './leads/lead-imports.ts';
import { leadListRoutes } from './leads/lead-lists.ts';
import { leadProcessRoutes } from './discovery/lead-processes.ts';
import { leadRoutes } from './leads/leads.ts';
import { deliverabilityRoutes } from './domains/deliverability.ts';
import { mailboxRoutes } from './mailboxes/mailboxes.ts';
import { mapsRoutes } from './maps/maps-runs.ts';
import { operationRoutes } from './operations/operations.ts';
import { placementRoutes } from './placement/placement-tests.ts';
import { recipientLinkRoutes } from './sending/recipient-links.ts';
import { sendingPauseRoutes } from './sending/sending-pauses.ts';
import { scheduleRoutes } from './schedules/schedules.ts';
import { suppressionRoutes } from './suppressions/suppressions.ts';
import { walletRoutes } from './wallet/wallet.ts';
import { warmupRoutes } from './warmup/warmup.ts';
import { documentedWebhooks } from './webhooks/event-schemas.ts';
import { webhookRoutes } from './webhooks/webhooks.ts';

/** In matching order: a literal path before one with `:id`. */
export function createRoutes(context: Context): Route[] {
  const routes = [
    ...healthRoutes(context),
    ...apiKeyRoutes(context),
    ...accountRoutes(context),
    ...walletRoutes(context),
    ...domainRoutes(context),
    ...deliverabilityRoutes(context),
    ...clusterRoutes(context),
    ...mailboxRoutes(context),
    ...leadProcessRoutes(context),
    ...leadImportRoutes(context),
    ...leadExportRoutes(context),
    ...leadRoutes(context),
    ...customFieldRoutes(context),
    ...companyRoutes(context),
    ...leadListRoutes(context),
    ...suppressionRoutes(context),
    ...mapsRoutes(context),
    ...scheduleRoutes(context),
    ...emailValidationRoutes(context),
    ...campaignRoutes(context),
    ...inboxRoutes(context),
    ...warmupRoutes(context),
    ...placementRoutes(context),
    ...webhookRoutes(context),
    ...operationRoutes(context),
    ...auditLogRoutes(context),
    ...sendingPauseRoutes(context),
    ...recipientLinkRoutes(context),
  ];
  const all = [...routes, llmsRoute(routes)];
  return [...all, openApiRoute(all, documentedWebhooks)];
}
