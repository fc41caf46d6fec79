/** The list of all routes; each area appends its own. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { accountRoutes } from './account.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { campaignRoutes } from './campaigns.ts';
import { clusterRoutes } from './clusters.ts';
import { openApiRoute } from './docs.ts';
import { domainRoutes } from './domains.ts';
import { healthRoutes } from './health.ts';
import { companyRoutes } from './companies.ts';
import { emailValidationRoutes } from './email-validation.ts';
import { inboxRoutes } from './inbox.ts';
import { leadExportRoutes } from './lead-exports.ts';
import { leadImportRoutes } from './lead-imports.ts';
import { leadListRoutes } from './lead-lists.ts';
import { leadProcessRoutes } from './lead-processes.ts';
import { leadRoutes } from './leads.ts';
import { mailboxRoutes } from './mailboxes.ts';
import { mapsRoutes } from './maps-runs.ts';
import { recipientLinkRoutes } from './recipient-links.ts';
import { suppressionRoutes } from './suppressions.ts';
import { walletRoutes } from './wallet.ts';
import { warmupRoutes } from './warmup.ts';
import { webhookRoutes } from './webhooks.ts';

/** In the order in which they are tried: a literal path before one with `:id`. */
export function createRoutes(context: Context): Route[] {
  const routes = [
    ...healthRoutes(context),
    ...apiKeyRoutes(context),
    ...accountRoutes(context),
    ...walletRoutes(context),
    ...domainRoutes(context),
    ...clusterRoutes(context),
    ...mailboxRoutes(context),
    ...leadProcessRoutes(context),
    ...leadImportRoutes(context),
    ...leadExportRoutes(context),
    ...leadRoutes(context),
    ...companyRoutes(context),
    ...leadListRoutes(context),
    ...suppressionRoutes(context),
    ...mapsRoutes(context),
    ...emailValidationRoutes(context),
    ...campaignRoutes(context),
    ...inboxRoutes(context),
    ...warmupRoutes(context),
    ...webhookRoutes(context),
    ...recipientLinkRoutes(context),
  ];
  return [...routes, openApiRoute(routes)];
}
