/** All activities, by noun; a worker registers this list and nothing else. */
import type { Context } from '../src/context.ts';
import { campaignActivities } from './campaigns.ts';
import { discoveryActivities } from './discovery.ts';
import { dnsActivities } from './dns.ts';
import { domainActivities } from './domains.ts';
import { domainRenewalActivities } from './domain-renewals.ts';
import { domainUpkeepActivities } from './domain-upkeep.ts';
import { emailValidationActivities } from './email-validation.ts';
import { guardAll } from './guard.ts';
import { inboxActivities } from './inbox.ts';
import { jobActivities } from './jobs.ts';
import { leadImportActivities } from './lead-imports.ts';
import { listDeletionActivities } from './list-deletions.ts';
import { mailHostActivities } from './mail-hosts.ts';
import { mailboxActivities } from './mailboxes.ts';
import { mapsActivities } from './maps.ts';
import { operationActivities } from './operations.ts';
import { outgoingLetterActivities } from './outgoing-letters.ts';
import { reconcileActivities } from './reconcile.ts';
import { recoveryActivities } from './recovery.ts';
import { registrarChoiceActivities } from './registrar-choice.ts';
import { serverOrderActivities } from './server-orders.ts';
import { serverActivities } from './servers.ts';
import { smarthostActivities } from './smarthosts.ts';
import { teardownActivities } from './teardown.ts';
import { vpsChoiceActivities } from './vps-choice.ts';
import { walletActivities } from './wallet.ts';
import { warmupActivities } from './warmup.ts';
import { webhookActivities } from './webhooks.ts';

export const createActivities = (context: Context) =>
  guardAll({
    ...operationActivities(context),
    ...recoveryActivities(context),
    ...reconcileActivities(context),
    ...walletActivities(context),
    ...domainActivities(context),
    ...registrarChoiceActivities(context),
    ...domainRenewalActivities(context),
    ...domainUpkeepActivities(context),
    ...vpsChoiceActivities(context),
    ...serverOrderActivities(context),
    ...serverActivities(context),
    ...dnsActivities(context),
    ...mailHostActivities(context),
    ...smarthostActivities(context),
    ...mailboxActivities(context),
    ...teardownActivities(context),
    ...jobActivities(context),
    ...leadImportActivities(context),
    ...listDeletionActivities(context),
    ...discoveryActivities(context),
    ...mapsActivities(context),
    ...emailValidationActivities(context),
    ...campaignActivities(context),
    ...inboxActivities(context),
    ...outgoingLetterActivities(context),
    ...warmupActivities(context),
    ...webhookActivities(context),
  });

export type Activities = ReturnType<typeof createActivities>;
