/** All activities, by noun; a worker registers this list and nothing else. */
import type { Context } from '../src/context.ts';
import { campaignActivities } from './campaigns/index.ts';
import { discoveryActivities } from './discovery/index.ts';
import { dkimRotationActivities } from './clusters/dkim-rotation.ts';
import { dnsActivities } from './clusters/dns.ts';
import { domainActivities } from './domains/domains.ts';
import { domainRenewalActivities } from './domains/domain-renewals.ts';
import { domainUpkeepActivities } from './domains/domain-upkeep.ts';
import { emailValidationActivities } from './email-validation/email-validation.ts';
import { hostCheckActivities } from './clusters/host-checks.ts';
import { hostWorkActivities } from './clusters/host-work.ts';
import { withSigns } from './engine/housekeeping-signs.ts';
import { guardAll } from './engine/guard.ts';
import { inboxActivities } from './inbox/index.ts';
import { jobActivities } from './engine/jobs.ts';
import { leadImportActivities } from './leads/lead-imports.ts';
import { customFieldDeletionActivities } from './leads/custom-field-deletions.ts';
import { listDeletionActivities } from './leads/list-deletions.ts';
import { trackingDomainActivities } from './domains/tracking-domains.ts';
import { mailReportActivities } from './mail-reports/index.ts';
import { mailHostActivities } from './clusters/mail-hosts.ts';
import { connectionActivities } from './mailboxes/connections.ts';
import { consentActivities } from './mailboxes/consents.ts';
import { mailboxImportActivities } from './mailboxes/mailbox-imports.ts';
import { mailboxActivities } from './mailboxes/mailboxes.ts';
import { mapsActivities } from './maps/index.ts';
import { operationActivities } from './operations/operations.ts';
import { laterRecordActivities } from './clusters/later-records.ts';
import { mtaStsActivities } from './clusters/mta-sts.ts';
import { outgoingMessageActivities } from './sending/outgoing-messages.ts';
import { placementTestActivities } from './placement/placement-tests.ts';
import { reconcileActivities } from './reconcile/index.ts';
import { recoveryActivities } from './operations/recovery.ts';
import { registrarChoiceActivities } from './domains/registrar-choice.ts';
import { scheduleActivities } from './schedules/schedules.ts';
import { serverOrderActivities } from './clusters/server-orders.ts';
import { hostRebuildActivities } from './clusters/host-rebuilds.ts';
import { hostRestoreActivities } from './clusters/host-restores.ts';
import { serverReinstallActivities } from './clusters/server-reinstalls.ts';
import { serverKeyActivities } from './clusters/server-keys.ts';
import { serverProgramActivities } from './clusters/server-programs.ts';
import { serverActivities } from './clusters/servers.ts';
import { smarthostActivities } from './clusters/smarthosts.ts';
import { shardActivities } from './shards/index.ts';
import { teardownActivities } from './clusters/teardown.ts';
import { vpsChoiceActivities } from './clusters/vps-choice.ts';
import { rechargeActivities } from './wallet/recharges.ts';
import { walletActivities } from './wallet/wallet.ts';
import { warmupActivities } from './warmup/index.ts';
import { webhookActivities } from './webhooks/index.ts';

export const createActivities = (context: Context) =>
  guardAll(
    withSigns(context, {
      ...operationActivities(context),
      ...recoveryActivities(context),
      ...reconcileActivities(context),
      ...walletActivities(context),
      ...rechargeActivities(context),
      ...domainActivities(context),
      ...registrarChoiceActivities(context),
      ...domainRenewalActivities(context),
      ...domainUpkeepActivities(context),
      ...trackingDomainActivities(context),
      ...vpsChoiceActivities(context),
      ...serverOrderActivities(context),
      ...serverActivities(context),
      ...dnsActivities(context),
      ...dkimRotationActivities(context),
      ...mtaStsActivities(context),
      ...laterRecordActivities(context),
      ...mailHostActivities(context),
      ...smarthostActivities(context),
      ...hostCheckActivities(context),
      ...hostWorkActivities(context),
      ...hostRebuildActivities(context),
      ...hostRestoreActivities(context),
      ...serverReinstallActivities(context),
      ...serverKeyActivities(context),
      ...serverProgramActivities(context),
      ...mailboxActivities(context),
      ...connectionActivities(context),
      ...consentActivities(context),
      ...mailboxImportActivities(context),
      ...mailReportActivities(context),
      ...placementTestActivities(context),
      ...teardownActivities(context),
      ...jobActivities(context),
      ...shardActivities(context),
      ...leadImportActivities(context),
      ...customFieldDeletionActivities(context),
      ...listDeletionActivities(context),
      ...discoveryActivities(context),
      ...mapsActivities(context),
      ...scheduleActivities(context),
      ...emailValidationActivities(context),
      ...campaignActivities(context),
      ...inboxActivities(context),
      ...outgoingMessageActivities(context),
      ...warmupActivities(context),
      ...webhookActivities(context),
    }),
  );

export type Activities = ReturnType<typeof createActivities>;
