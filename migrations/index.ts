/** Every migration by name, in order; the name is what the database remembers. */
import type { Migration } from 'kysely';
import * as accounts from './0001-accounts.ts';
import * as httpStores from './0002-http-stores.ts';
import * as wallet from './0003-wallet.ts';
import * as provisioning from './0004-provisioning.ts';
import * as dnsLeases from './0005-dns-leases.ts';
import * as leads from './0006-leads.ts';
import * as leadImports from './0007-lead-imports.ts';
import * as discovery from './0008-discovery.ts';
import * as maps from './0009-maps.ts';
import * as emailValidation from './0010-email-validation.ts';
import * as importLeads from './0011-import-leads.ts';
import * as leadsElsewhere from './0012-leads-elsewhere.ts';
import * as campaigns from './0013-campaigns.ts';
import * as inbox from './0014-inbox.ts';
import * as warmup from './0015-warmup.ts';
import * as events from './0016-events.ts';
import * as leadSearch from './0017-lead-search.ts';
import * as inboxLetters from './0018-inbox-letters.ts';
import * as eventRetention from './0019-event-retention.ts';
import * as domains from './0020-domains.ts';
import * as teardown from './0021-teardown.ts';
import * as findings from './0023-findings.ts';
import * as leases from './0024-leases.ts';
import * as requestEffects from './0025-request-effects.ts';
import * as followupDelays from './0026-followup-delays.ts';
import * as failOvers from './0027-fail-overs.ts';
import * as recordSeen from './0028-record-seen.ts';
import * as finalSigma from './0029-final-sigma.ts';
import * as importCounts from './0030-import-counts.ts';
import * as leadsOfCompanies from './0031-leads-of-companies.ts';
import * as webhookHealth from './0032-webhook-health.ts';
import * as review from './0033-review.ts';
import * as probeRests from './0034-probe-rests.ts';
import * as letters from './0035-letters.ts';
import * as addressVerdicts from './0036-address-verdicts.ts';
import * as rejections from './0037-rejections.ts';
import * as sendsOfAddresses from './0041-sends-of-addresses.ts';
import * as addressOfCompanies from './0042-address-of-companies.ts';
import * as listDeletions from './0043-list-deletions.ts';
import * as erasureIndexes from './0044-erasure-indexes.ts';
import * as leadCounters from './0045-lead-counters.ts';
import * as countedLeads from './0046-counted-leads.ts';
import * as leadPages from './0047-lead-pages.ts';
import * as campaignOwners from './0048-campaign-owners.ts';
import * as contactedAddresses from './0049-contacted-addresses.ts';
import * as textOnly from './0050-text-only.ts';
import * as linkFetches from './0051-link-fetches.ts';
import * as inboxKinds from './0052-inbox-kinds.ts';
import * as formerLeads from './0056-former-leads.ts';
import * as paymentFacts from './0057-payment-facts.ts';
import * as walletAdjustments from './0058-wallet-adjustments.ts';
import * as doctorTrials from './0064-doctor-trials.ts';
import * as walletRecharges from './0067-wallet-recharges.ts';
import * as sendingHolds from './0068-sending-holds.ts';
import * as dkimRotation from './0069-dkim-rotation.ts';
import * as mtaSts from './0070-mta-sts.ts';
import * as mailReports from './0076-mail-reports.ts';
import * as recordPlan from './0080-record-plan.ts';
import * as forgottenCards from './0081-forgotten-cards.ts';
import * as leadColumns from './0085-lead-columns.ts';
import * as runKeys from './0090-run-keys.ts';
import * as encryptionKeys from './0095-encryption-keys.ts';
import * as serverLoginKeys from './0096-server-login-keys.ts';
import * as hostHealth from './0097-host-health.ts';
import * as searchBlocks from './0100-search-blocks.ts';
import * as searchWithoutBlocks from './0101-search-without-blocks.ts';
import * as operationsOfAUser from './0120-operations-of-a-user.ts';
import * as schedules from './0130-schedules.ts';
import * as serverRebuilds from './0140-server-rebuilds.ts';
import * as shards from './0145-shards.ts';
import * as operationOrigins from './0150-operation-origins.ts';
import * as customFields from './0155-custom-fields.ts';
import * as auditLog from './0160-audit-log.ts';
import * as blockedSeconds from './0165-blocked-seconds.ts';
import * as connectedMailboxes from './0170-connected-mailboxes.ts';
import * as installationMode from './0175-installation-mode.ts';
import * as interest from './0180-interest.ts';
import * as companyReplies from './0181-company-replies.ts';
import * as placement from './0182-placement.ts';
import * as subsequences from './0183-subsequences.ts';
import * as interestQuestions from './0184-interest-questions.ts';
import * as mailboxImports from './0185-mailbox-imports.ts';
import * as operationPlaces from './0186-operation-places.ts';
import * as scheduledMessages from './0187-scheduled-messages.ts';
import * as variantWinners from './0188-variant-winners.ts';
import * as recipientZones from './0189-recipient-zones.ts';
import * as languageModelChoice from './0190-language-model-choice.ts';
import * as subsequenceRules from './0191-subsequence-rules.ts';
import * as pendingStarts from './0192-pending-starts.ts';
import * as trackingDomains from './0193-tracking-domains.ts';
import * as mailboxOauth from './0194-mailbox-oauth.ts';
import * as oauthSubjects from './0195-oauth-subjects.ts';
import * as shardProcesses from './0196-shard-processes.ts';
import * as listsOfSchedules from './0197-lists-of-schedules.ts';
import * as forgottenAnswers from './0199-forgotten-answers.ts';
import * as seedsShownLater from './0200-seeds-shown-later.ts';
import * as correctedAddresses from './0203-corrected-addresses.ts';
import * as domainWalks from './0204-domain-walks.ts';
import * as campaignPortions from './0206-campaign-portions.ts';
import * as erasureWords from './0207-erasure-words.ts';
import * as searchTexts from './0209-search-texts.ts';
import * as searchWithoutColumns from './0210-search-without-columns.ts';
import * as keptCounts from './0211-kept-counts.ts';
import * as replyFailures from './0212-reply-failures.ts';
import * as warmupRequests from './0216-warmup-requests.ts';
import * as expiredMessages from './0217-expired-messages.ts';
import * as countersByDay from './0218-counters-by-day.ts';
import * as takenBackUnsubscriptions from './0220-taken-back-unsubscriptions.ts';
import * as unsubscriptionsByLink from './0221-unsubscriptions-by-link.ts';
import * as messageBlocks from './0222-message-blocks.ts';
import * as suppressionBlocks from './0223-suppression-blocks.ts';
import * as searchWithoutOrder from './0224-search-without-order.ts';
import * as forgottenPasswords from './0225-forgotten-passwords.ts';
import * as provenAddresses from './0226-proven-addresses.ts';
import * as lastLooks from './0227-last-looks.ts';
import * as jobsAtWork from './0228-jobs-at-work.ts';
import * as suppressionsWithoutOrder from './0229-suppressions-without-order.ts';
import * as auditLogByAction from './0230-audit-log-by-action.ts';
import * as filledAddresses from './0231-filled-addresses.ts';
import * as campaignDeletions from './0233-campaign-deletions.ts';
import * as hiddenRanges from './0235-hidden-ranges.ts';
import * as searchKeys from './0240-search-keys.ts';
import * as askedCharges from './0241-asked-charges.ts';
import * as restoredQueues from './0245-restored-queues.ts';
import * as unaskedAddresses from './0250-unasked-addresses.ts';
import * as forgottenAnnouncements from './0255-forgotten-announcements.ts';
import * as progressRuns from './0265-progress-runs.ts';
import * as validationWaits from './0270-validation-waits.ts';
import * as shardNotes from './0271-shard-notes.ts';
import * as housekeepingRuns from './0272-housekeeping-runs.ts';
import * as housekeepingPlaces from './0285-housekeeping-places.ts';
import * as keptLetters from './0286-kept-letters.ts';
import * as lettersOfBefore from './0287-letters-of-before.ts';
import * as weightierReasons from './0288-weightier-reasons.ts';
import * as threadsByFilter from './0289-threads-by-filter.ts';
import * as eventsByType from './0298-events-by-type.ts';
import * as auditLogByActor from './0299-audit-log-by-actor.ts';
import * as companyBlocks from './0300-company-blocks.ts';
import * as oneCompanySearch from './0301-one-company-search.ts';
import * as shortPendingLists from './0302-short-pending-lists.ts';
import * as suppressionRanges from './0307-suppression-ranges.ts';
import * as interestsInTheInbox from './0310-interests-in-the-inbox.ts';
import * as emptiedPendingLists from './0311-emptied-pending-lists.ts';

export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-http-stores': httpStores,
  '0003-wallet': wallet,
  '0004-provisioning': provisioning,
  '0005-dns-leases': dnsLeases,
  '0006-leads': leads,
  '0007-lead-imports': leadImports,
  '0008-discovery': discovery,
  '0009-maps': maps,
  '0010-email-validation': emailValidation,
  '0011-import-leads': importLeads,
  '0012-leads-elsewhere': leadsElsewhere,
  '0013-campaigns': campaigns,
  '0014-inbox': inbox,
  '0015-warmup': warmup,
  '0016-events': events,
  '0017-lead-search': leadSearch,
  '0018-inbox-letters': inboxLetters,
  '0019-event-retention': eventRetention,
  '0020-domains': domains,
  '0021-teardown': teardown,
  '0023-findings': findings,
  '0024-leases': leases,
  '0025-request-effects': requestEffects,
  '0026-followup-delays': followupDelays,
  '0027-fail-overs': failOvers,
  '0028-record-seen': recordSeen,
  '0029-final-sigma': finalSigma,
  '0030-import-counts': importCounts,
  '0031-leads-of-companies': leadsOfCompanies,
  '0032-webhook-health': webhookHealth,
  '0033-review': review,
  '0034-probe-rests': probeRests,
  '0035-letters': letters,
  '0036-address-verdicts': addressVerdicts,
  '0037-rejections': rejections,
  '0041-sends-of-addresses': sendsOfAddresses,
  '0042-address-of-companies': addressOfCompanies,
  '0043-list-deletions': listDeletions,
  '0044-erasure-indexes': erasureIndexes,
  '0045-lead-counters': leadCounters,
  '0046-counted-leads': countedLeads,
  '0047-lead-pages': leadPages,
  '0048-campaign-owners': campaignOwners,
  '0049-contacted-addresses': contactedAddresses,
  '0050-text-only': textOnly,
  '0051-link-fetches': linkFetches,
  '0052-inbox-kinds': inboxKinds,
  '0056-former-leads': formerLeads,
  '0057-payment-facts': paymentFacts,
  '0058-wallet-adjustments': walletAdjustments,
  '0064-doctor-trials': doctorTrials,
  '0067-wallet-recharges': walletRecharges,
  '0068-sending-holds': sendingHolds,
  '0069-dkim-rotation': dkimRotation,
  '0070-mta-sts': mtaSts,
  '0076-mail-reports': mailReports,
  '0080-record-plan': recordPlan,
  '0081-forgotten-cards': forgottenCards,
  '0085-lead-columns': leadColumns,
  '0090-run-keys': runKeys,
  '0095-encryption-keys': encryptionKeys,
  '0096-server-login-keys': serverLoginKeys,
  '0097-host-health': hostHealth,
  '0100-search-blocks': searchBlocks,
  '0101-search-without-blocks': searchWithoutBlocks,
  '0120-operations-of-a-user': operationsOfAUser,
  '0130-schedules': schedules,
  '0140-server-rebuilds': serverRebuilds,
  '0145-shards': shards,
  '0150-operation-origins': operationOrigins,
  '0155-custom-fields': customFields,
  '0160-audit-log': auditLog,
  '0165-blocked-seconds': blockedSeconds,
  '0170-connected-mailboxes': connectedMailboxes,
  '0175-installation-mode': installationMode,
  '0180-interest': interest,
  '0181-company-replies': companyReplies,
  '0182-placement': placement,
  '0183-subsequences': subsequences,
  '0184-interest-questions': interestQuestions,
  '0185-mailbox-imports': mailboxImports,
  '0186-operation-places': operationPlaces,
  '0187-scheduled-messages': scheduledMessages,
  '0188-variant-winners': variantWinners,
  '0189-recipient-zones': recipientZones,
  '0190-language-model-choice': languageModelChoice,
  '0191-subsequence-rules': subsequenceRules,
  '0192-pending-starts': pendingStarts,
  '0193-tracking-domains': trackingDomains,
  '0194-mailbox-oauth': mailboxOauth,
  '0195-oauth-subjects': oauthSubjects,
  '0196-shard-processes': shardProcesses,
  '0197-lists-of-schedules': listsOfSchedules,
  '0199-forgotten-answers': forgottenAnswers,
  '0200-seeds-shown-later': seedsShownLater,
  '0203-corrected-addresses': correctedAddresses,
  '0204-domain-walks': domainWalks,
  '0206-campaign-portions': campaignPortions,
  '0207-erasure-words': erasureWords,
  '0209-search-texts': searchTexts,
  '0210-search-without-columns': searchWithoutColumns,
  '0211-kept-counts': keptCounts,
  '0212-reply-failures': replyFailures,
  '0216-warmup-requests': warmupRequests,
  '0217-expired-messages': expiredMessages,
  '0218-counters-by-day': countersByDay,
  '0220-taken-back-unsubscriptions': takenBackUnsubscriptions,
  '0221-unsubscriptions-by-link': unsubscriptionsByLink,
  '0222-message-blocks': messageBlocks,
  '0223-suppression-blocks': suppressionBlocks,
  '0224-search-without-order': searchWithoutOrder,
  '0225-forgotten-passwords': forgottenPasswords,
  '0226-proven-addresses': provenAddresses,
  '0227-last-looks': lastLooks,
  '0228-jobs-at-work': jobsAtWork,
  '0229-suppressions-without-order': suppressionsWithoutOrder,
  '0230-audit-log-by-action': auditLogByAction,
  '0231-filled-addresses': filledAddresses,
  '0233-campaign-deletions': campaignDeletions,
  '0235-hidden-ranges': hiddenRanges,
  '0240-search-keys': searchKeys,
  '0241-asked-charges': askedCharges,
  '0245-restored-queues': restoredQueues,
  '0250-unasked-addresses': unaskedAddresses,
  '0255-forgotten-announcements': forgottenAnnouncements,
  '0265-progress-runs': progressRuns,
  '0270-validation-waits': validationWaits,
  '0271-shard-notes': shardNotes,
  '0272-housekeeping-runs': housekeepingRuns,
  '0285-housekeeping-places': housekeepingPlaces,
  '0286-kept-letters': keptLetters,
  '0287-letters-of-before': lettersOfBefore,
  '0288-weightier-reasons': weightierReasons,
  '0289-threads-by-filter': threadsByFilter,
  '0298-events-by-type': eventsByType,
  '0299-audit-log-by-actor': auditLogByActor,
  '0300-company-blocks': companyBlocks,
  '0301-one-company-search': oneCompanySearch,
  '0302-short-pending-lists': shortPendingLists,
  '0307-suppression-ranges': suppressionRanges,
  '0310-interests-in-the-inbox': interestsInTheInbox,
  '0311-emptied-pending-lists': emptiedPendingLists,
};
