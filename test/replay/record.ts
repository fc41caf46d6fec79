/**
 * Records the histories that `replay.test.ts` replays: `node --import tsx test/replay/record.ts`.
 * Run it only for a new case: histories that exist are what running workflows look like, and a
 * change that cannot replay them needs `patched`. Names of cases on the command line limit it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import {
  cancelSignal,
  resolveBlockedStepSignal,
  resolveBlockedStepUpdate,
} from '../../workflows/contracts/operator.ts';
import { lookNowSignal } from '../../workflows/contracts/tend-tracking-domain.ts';
import {
  cancelJobSignal,
  pauseJobSignal,
  resumeJobSignal,
  shardReportSignal,
} from '../../workflows/contracts/job.ts';
import { leadsAddedSignal } from '../../workflows/contracts/run-campaign.ts';
import { scheduleChangedSignal } from '../../workflows/contracts/send-reply.ts';
import { syncNowSignal } from '../../workflows/contracts/sync-inbox.ts';
import { ADDRESS_LISTED } from '../../src/domain/clusters/sending-hold.ts';
import { DISCOVERY_STEPS } from '../../src/domain/discovery/discovery.ts';
import type { ResolutionAction } from '../../src/domain/operations/operations.ts';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import { openStage, type StartedOperation } from '../support/workflows/workflow-stage.ts';

interface Recording {
  workflow: string;
  script?: Script;
  input?: object;
  /** What people do meanwhile. */
  meanwhile?: (operation: StartedOperation) => Promise<unknown>;
}

const words = { actor: 'on-call', reason: 'recorded' };
const rowsRead = { state: 'active', isDone: false, progress: '2000 of 6000 rows' };
const mailboxRows = { state: 'active', isDone: false, progress: '400 of 1000 rows, 390 connected' };

const placementTurn = {
  state: 'active',
  isDone: false,
  progress: '2 of 5 messages found',
  waitMs: 1_000,
};

/** Answers in their order, then the last one for ever. */
function inOrder<T>(...answers: T[]): () => T {
  let calls = 0;
  return () => answers[Math.min(calls++, answers.length - 1)]!;
}

/**
 * The first registrar refuses us; the alternate gives no answer, and is refused for its price when it is asked again,
 * as are the `others` after it.
 */
function priceAfterRepetition(others = 0): Script {
  return {
    'domain_purchase.register': (call) => {
      if (call === 1) fail('auth');
      if (call === 2) fail('outcome_unknown');
      if (call <= 3 + others) fail('rejected', 'PRICE_ABOVE_CAP');
    },
    'domain_purchase.choose': (call) => ({ registrar: call === 1 ? 'second' : 'first' }),
  };
}

/** By `<flow>/<case>`, the path of its file. */
const recordings: Record<string, Recording> = {
  'provision-cluster/happy': { workflow: 'provisionCluster' },
  'provision-cluster/existing-domain-and-server': {
    workflow: 'provisionCluster',
    input: { buyDomain: false, rentServer: false },
  },
  'provision-cluster/lost-answers': {
    workflow: 'provisionCluster',
    script: {
      'domain_purchase.register': (call) => call === 1 && fail('outcome_unknown'),
      'domain_purchase.look': (call) => ({ bought: call > 1 }),
      'server_create.order': (call) => call === 1 && fail('outcome_unknown'),
    },
  },
  'provision-cluster/checked-then-failed-order': {
    workflow: 'provisionCluster',
    script: {
      'domain_purchase.vps': inOrder({ vendor: 'first' }, { vendor: 'second' }),
      'domain_purchase.server': (call) => call === 1 && fail('quota', 'NO_CAPACITY'),
      'server_create.choose': inOrder({ vendor: 'first' }, { vendor: 'second' }),
      'server_create.await': (call) => call === 1 && fail('quota', 'NO_CAPACITY'),
    },
  },
  'provision-cluster/listed-addresses': {
    workflow: 'provisionCluster',
    script: {
      'server_create.choose': () => ({ vendor: 'first' }),
      'server_create.await': (call) => call <= 2 && fail('quota', 'NO_CAPACITY', ADDRESS_LISTED),
    },
  },
  'provision-cluster/blocked-then-retried': {
    workflow: 'provisionCluster',
    script: { 'server_create.order': (call) => call <= 2 && fail('quota') },
    async meanwhile(operation) {
      await signal(operation, 'server_create', 'retry');
      const blocked = await operation.untilBlocked('server_create');
      const args = [{ token: blocked.token, action: 'retry', ...words }] as const;
      await operation.handle.executeUpdate(resolveBlockedStepUpdate, { args: [...args] });
    },
  },
  'provision-cluster/blocked-then-skipped': {
    workflow: 'provisionCluster',
    script: { 'ptr_setup.set': () => fail('auth') },
    meanwhile: (operation) => signal(operation, 'ptr_setup', 'skip'),
  },
  'provision-cluster/compensated': {
    workflow: 'provisionCluster',
    script: {
      'mail_server_install.install': () => fail('auth'),
      'server_create.undo': (call) => call === 1 && fail('auth'),
    },
    async meanwhile(operation) {
      await signal(operation, 'mail_server_install', 'compensate');
      await signal(operation, 'server_create', 'retry');
    },
  },
  'provision-cluster/failed-over': {
    workflow: 'provisionCluster',
    input: { registrar: 'first' },
    script: {
      'server_create.choose': inOrder({ vendor: 'first' }, { vendor: 'second' }),
      'server_create.order': (call) => call === 1 && fail('quota', 'NO_CAPACITY'),
      'server_create.asked': () => ({ vendors: ['first', 'second'] }),
      'mail_server_install.install': () => fail('auth'),
    },
    meanwhile: (operation) => signal(operation, 'mail_server_install', 'compensate'),
  },
  'provision-cluster/nobody-answered': {
    workflow: 'provisionCluster',
    script: { 'server_create.order': () => fail('quota') },
  },
  'provision-cluster/cancelled': {
    workflow: 'provisionCluster',
    script: { 'dns_setup.await': () => fail('not_ready') },
    async meanwhile(operation) {
      await operation.untilCalled('dns_setup.await');
      await operation.handle.signal(cancelSignal, words);
    },
  },
  'provision-cluster/lost-and-undone': {
    workflow: 'provisionCluster',
    input: { undoOnly: true },
  },
  // Recorded when an alternate counted as the first registrar in a repetition of the step.
  'buy-domain/priced-out-at-alternate': {
    workflow: 'buyDomain',
    input: { registrar: 'first', failsOver: true },
    script: priceAfterRepetition(),
  },
  'buy-domain/first-again-after-alternate': {
    workflow: 'buyDomain',
    input: { registrar: 'first', failsOver: true },
    script: priceAfterRepetition(),
  },
  'buy-domain/priced-out-at-first-again': {
    workflow: 'buyDomain',
    input: { registrar: 'first', failsOver: true },
    script: priceAfterRepetition(1),
  },
  'buy-domain/happy': { workflow: 'buyDomain', input: { charged: true } },
  'buy-domain/taken': {
    workflow: 'buyDomain',
    input: { charged: false },
    script: { 'domain_purchase.register': () => fail('rejected', 'DOMAIN_UNAVAILABLE') },
  },
  'provision-cluster/imported-domain': {
    workflow: 'provisionCluster',
    input: { buyDomain: false, manualDns: true },
    script: { 'dns_setup.await': (call) => call <= 3 && fail('not_ready') },
  },
  'recharge-wallet/happy': { workflow: 'rechargeWallet', input: { rechargeId: 5 } },
  'recharge-wallet/declined': {
    workflow: 'rechargeWallet',
    input: { rechargeId: 5 },
    script: { 'wallet_recharge.charge': () => fail('rejected', 'CARD_DECLINED') },
  },
  'recharge-wallet/lost-answer': {
    workflow: 'rechargeWallet',
    input: { rechargeId: 5 },
    script: { 'wallet_recharge.charge': (call) => call <= 6 && fail('unavailable') },
  },
  'renew-domain/happy': { workflow: 'renewDomain', input: { renewalId: 5, charged: true } },
  'renew-domain/lost-answer': {
    workflow: 'renewDomain',
    input: { renewalId: 5, charged: true },
    script: {
      'domain_renewal.renew': (call) => call === 1 && fail('outcome_unknown'),
      'domain_renewal.look': (call) => ({ renewed: call > 1 }),
    },
  },
  'renew-domain/blocked-then-retried': {
    workflow: 'renewDomain',
    input: { renewalId: 5, charged: false },
    script: { 'domain_renewal.renew': (call) => call === 1 && fail('auth') },
    meanwhile: (operation) => signal(operation, 'domain_renewal', 'retry'),
  },
  'renew-domain/refused': {
    workflow: 'renewDomain',
    input: { renewalId: 5, charged: true },
    script: { 'domain_renewal.renew': () => fail('rejected', 'PRICE_ABOVE_CAP') },
  },
  'renew-domains/happy': {
    workflow: 'renewDomains',
    script: { renew_due: (call) => ({ nextId: call === 1 ? 100 : null, found: 2 }) },
  },
  'renew-domains/by-registrar': {
    workflow: 'renewDomains',
    script: {
      due: (call) => ({
        due: [call, call + 10].map((domainId) => ({ domainId, registrar: 'first' })),
        nextId: call === 1 ? 100 : null,
      }),
    },
  },
  'run-schedule/happy': { workflow: 'runSchedule' },
  'check-mail-hosts/happy': {
    workflow: 'checkMailHosts',
    script: { 'hosts.after_0': () => ({ nextId: 50, found: 2 }) },
  },
  'publish-mta-sts/happy': {
    workflow: 'publishMtaSts',
    script: {
      'due.after_0': () => ({
        due: [7, 8].map((domainId) => ({ domainId, registrar: 'first' })),
        nextId: 100,
      }),
      'policy.8': () => fail('rejected'),
    },
  },
  'complete-records/happy': {
    workflow: 'completeRecords',
    script: {
      'due.after_0': () => ({
        due: [7, 8].map((domainId) => ({ domainId, registrar: 'first' })),
        nextId: 100,
      }),
      'records.8': () => fail('rejected'),
    },
  },
  'rotate-dkim-keys/happy': {
    workflow: 'rotateDkimKeys',
    script: {
      'due.after_0': () => ({
        due: [7, 8].map((domainId) => ({ domainId, registrar: 'first' })),
        nextId: 100,
      }),
      'rotate.8': () => fail('rejected'),
    },
  },
  'read-mail-reports/happy': {
    workflow: 'readMailReports',
    script: {
      'read_reports.0': () => ({ nextId: 100, found: 2 }),
      'read_reports.100': () => ({ nextId: null, found: 1 }),
      prune_reports: () => ({ deleted: 3 }),
    },
  },
  'connect-mailbox/happy': {
    workflow: 'connectMailbox',
    input: { mailboxId: 5, email: 'ann@elsewhere.com' },
    script: { mailbox_read: (call) => call === 1 && fail('not_ready') },
  },
  'connect-mailbox/refused': {
    workflow: 'connectMailbox',
    input: { mailboxId: 5, email: 'ann@elsewhere.com' },
    script: { mailbox_login: () => fail('rejected', 'LOGIN_REFUSED') },
  },
  'create-mailbox/happy': {
    workflow: 'createMailbox',
    input: { mailboxId: 5, email: 'ann@acme.com' },
  },
  'create-mailbox/refused': {
    workflow: 'createMailbox',
    input: { mailboxId: 5, email: 'ann@acme.com' },
    script: { mailbox_create: () => fail('rejected', 'MAILBOX_REFUSED') },
  },
  'delete-mailbox/happy': { workflow: 'deleteMailbox', input: { mailboxId: 5 } },
  'delete-mailbox/blocked-then-retried': {
    workflow: 'deleteMailbox',
    input: { mailboxId: 5 },
    script: { mailbox_remove: (call) => call === 1 && fail('auth') },
    meanwhile: (operation) => signal(operation, 'mailbox_remove', 'retry'),
  },
  'delete-mailbox/consent-revoked': {
    workflow: 'deleteMailbox',
    input: { mailboxId: 5, hasConsent: true },
    script: { consent_revoke: (call) => call === 1 && fail('unavailable') },
  },
  'delete-mailbox/consent-left': {
    workflow: 'deleteMailbox',
    input: { mailboxId: 5, hasConsent: true },
    script: { consent_revoke: () => fail('auth') },
  },
  'destroy-cluster/happy': { workflow: 'destroyCluster', input: { deletesServer: true } },
  'destroy-cluster/shared-server': {
    workflow: 'destroyCluster',
    input: { deletesServer: false },
    script: {
      mail_server_remove: () => fail('rejected'),
      dns_withdraw: (call) => call === 1 && fail('not_ready'),
    },
    async meanwhile(operation) {
      await operation.untilBlocked('mail_server_remove');
      await operation.handle.signal(cancelSignal, words);
      // As recorded: runs that begin today do not offer it for this step.
      await signal(operation, 'mail_server_remove', 'skip');
    },
  },
  'rotate-credentials/happy': { workflow: 'rotateCredentials', input: { mailboxId: 5 } },
  'rotate-credentials/given-up': {
    workflow: 'rotateCredentials',
    input: { mailboxId: 5 },
    script: { credentials_set: () => fail('auth') },
    meanwhile: (operation) => signal(operation, 'credentials_set', 'compensate'),
  },
  'rotate-server-key/happy': { workflow: 'rotateServerKey', input: { serverId: 5 } },
  'rotate-server-key/given-up': {
    workflow: 'rotateServerKey',
    input: { serverId: 5 },
    script: { 'server_key_allow.prove': () => fail('auth') },
    meanwhile: (operation) => signal(operation, 'server_key_allow', 'compensate'),
  },
  'upgrade-server/happy': { workflow: 'upgradeServer', input: { serverId: 5 } },
  'upgrade-server/given-up': {
    workflow: 'upgradeServer',
    input: { serverId: 5 },
    script: { host_verify: () => fail('auth') },
    meanwhile: (operation) => signal(operation, 'host_verify', 'compensate'),
  },
  'rebuild-server/happy': {
    workflow: 'rebuildServer',
    input: { serverId: 5, vendor: 'first', backup: 'fresh' },
    script: { 'host_restore.clusters': () => ({ clusterIds: [3, 4] }) },
  },
  'rebuild-server/given-up': {
    workflow: 'rebuildServer',
    input: { serverId: 5, vendor: 'first', backup: 'newest' },
    script: { host_backup: () => fail('auth') },
    meanwhile: (operation) => signal(operation, 'host_backup', 'compensate'),
  },
  // Behind the reinstall nobody gives it up: neither a cancel nor an answer ends it.
  'rebuild-server/only-forward': {
    workflow: 'rebuildServer',
    input: { serverId: 5, vendor: 'first', backup: 'none' },
    script: {
      'host_restore.clusters': () => ({ clusterIds: [] }),
      host_verify: (call) => call === 1 && fail('auth'),
    },
    async meanwhile(operation) {
      await operation.untilBlocked('host_verify');
      await operation.handle.signal(cancelSignal, words);
      await signal(operation, 'host_verify', 'compensate');
      await signal(operation, 'host_verify', 'retry');
    },
  },
  'tend-hosts/canary': {
    workflow: 'tendHosts',
    input: { job: 'upgrade', canaryId: 9, batch: 2, actor: 'operator:ann', reason: 'recorded' },
    script: {
      'order.canary': () => [{ serverId: 9, operationId: 90 }],
      'order.after_0': () => [7, 8].map((serverId) => ({ serverId, operationId: serverId * 10 })),
      'order.after_8': () => [],
    },
  },
  'tend-hosts/happy': {
    workflow: 'tendHosts',
    input: { job: 'rotate-ssh-key', actor: 'operator:ann', reason: 'recorded' },
    script: {
      'order.after_0': () => [{ serverId: 7, operationId: 70 }],
      'order.after_7': () => [8, 9].map((serverId) => ({ serverId, operationId: serverId * 10 })),
      'await.8': (call) => (call < 3 ? fail('not_ready') : { state: 'succeeded' }),
      'await.9': () => ({ state: 'blocked' }),
    },
  },
  'reconcile/happy': { workflow: 'reconcile' },
  'reconcile-books/happy': {
    workflow: 'reconcileBooks',
    input: { heal: 'safe', actor: 'system', reason: 'recorded' },
  },
  'reconcile-books/our-books-at-once': {
    workflow: 'reconcileBooks',
    input: { heal: 'safe', vendors: 'due', actor: 'system', reason: 'recorded' },
  },
  'set-smarthost/happy': {
    workflow: 'setSmarthost',
    input: { actor: 'operator:ann', reason: 'recorded' },
  },
  'deliver-webhooks/happy': { workflow: 'deliverWebhooks' },
  'discover-leads/happy': {
    workflow: 'discoverLeads',
    input: { processId: 4 },
    script: discovery({ attach_leads: (call) => (call === 1 ? 'search_ads' : null) }),
  },
  'discover-leads/paused-and-resumed': {
    workflow: 'discoverLeads',
    input: { processId: 4 },
    script: discovery({ enrich_contacts: () => 'validate_emails' }, 'enrich_contacts'),
    async meanwhile(operation) {
      await operation.untilCalled('enrich_contacts');
      operation.jobState = 'paused';
      await operation.handle.signal(pauseJobSignal, words);
      await stage.env.sleep('30 hours');
      await operation.handle.signal(resumeJobSignal, words);
    },
  },
  'discover-leads/cancelled': {
    workflow: 'discoverLeads',
    input: { processId: 4 },
    script: { ...discovery({}), enrich_contacts: untilCancelled },
    async meanwhile(operation) {
      await operation.untilCalled('enrich_contacts');
      await operation.handle.signal(cancelJobSignal, words);
    },
  },
  'discover-leads/refused': {
    workflow: 'discoverLeads',
    input: { processId: 4 },
    script: { search_ads: () => fail('rejected', 'NO_AD_LIBRARY') },
  },
  'scrape-maps/happy': {
    workflow: 'scrapeMaps',
    input: { runId: 7 },
    script: {
      search_start: () => searched('scrape'),
      scrape: (call) => searched(call < 3 ? 'scrape' : 'enrich'),
      enrich: (call) => page(call === 3),
    },
  },
  'scrape-maps/alternate': {
    workflow: 'scrapeMaps',
    input: { runId: 7 },
    script: {
      search_start: (call) => searched(call === 1 ? 'start' : 'scrape'),
      scrape: () => searched('end'),
    },
  },
  'scrape-maps/cancelled': {
    workflow: 'scrapeMaps',
    input: { runId: 7 },
    script: { search_start: () => searched('scrape'), scrape: untilCancelled },
    async meanwhile(operation) {
      await operation.untilCalled('scrape');
      await operation.handle.signal(cancelJobSignal, words);
    },
  },
  'scrape-maps/refused': {
    workflow: 'scrapeMaps',
    input: { runId: 7 },
    script: { search_start: () => fail('quota') },
  },
  'enrich-websites/happy': {
    workflow: 'enrichWebsites',
    input: { runId: 7 },
    script: { enrich: (call) => page(call === 2) },
  },
  'import-places/happy': {
    workflow: 'importPlaces',
    input: { importId: 3 },
    script: { import_places: (call) => page(call === 2) },
  },
  'import-places/list-deleted': {
    workflow: 'importPlaces',
    input: { importId: 3 },
    script: { import_places: () => page(false, 'over') },
  },
  'import-leads/happy': {
    workflow: 'importLeads',
    input: { importId: 9 },
    script: { import_leads: (call) => ({ ...rowsRead, isDone: call === 3 }) },
  },
  'import-leads/cancelled': {
    workflow: 'importLeads',
    input: { importId: 9 },
    script: { import_leads: (call) => ({ ...rowsRead, state: call === 2 ? 'over' : 'active' }) },
  },
  'import-leads/no-leads': {
    workflow: 'importLeads',
    input: { importId: 9 },
    script: { import_leads: () => fail('rejected', 'NO_LEADS_IMPORTED') },
  },
  'import-mailboxes/happy': {
    workflow: 'importMailboxes',
    input: { importId: 9 },
    script: { connect_mailboxes: (call) => ({ ...mailboxRows, isDone: call === 3 }) },
  },
  'import-mailboxes/cancelled': {
    workflow: 'importMailboxes',
    input: { importId: 9 },
    script: { connect_mailboxes: untilCancelled },
    async meanwhile(operation) {
      await operation.untilCalled('connect_mailboxes');
      await operation.handle.signal(cancelJobSignal, words);
    },
  },
  'tend-tracking-domain/looked-at': {
    workflow: 'tendTrackingDomain',
    input: { trackingDomainId: 9, name: 'links.acme.test' },
    script: {
      tracking_domain: (call) => ({
        state: call === 1 ? 'active' : 'over',
        isDone: false,
        progress: 'links.acme.test: It works',
        waitMs: 86_400_000,
      }),
    },
    async meanwhile(operation) {
      await operation.untilCalled('tracking_domain');
      await operation.handle.signal(lookNowSignal);
    },
  },
  'test-placement/happy': {
    workflow: 'testPlacement',
    input: { testId: 9 },
    script: { placement_turn: (call) => ({ ...placementTurn, isDone: call === 3 }) },
  },
  'test-placement/cancelled': {
    workflow: 'testPlacement',
    input: { testId: 9 },
    script: { placement_turn: untilCancelled },
    async meanwhile(operation) {
      await operation.untilCalled('placement_turn');
      await operation.handle.signal(cancelJobSignal, words);
    },
  },
  'delete-lead-list/happy': {
    workflow: 'deleteLeadList',
    input: { leadListId: 4 },
    script: { remove_list: (call) => page(call === 3) },
  },
  'delete-custom-field/happy': {
    workflow: 'deleteCustomField',
    input: { customFieldId: 6 },
    script: { remove_values: (call) => page(call === 3) },
  },
  'verify-emails/happy': {
    workflow: 'verifyEmails',
    input: { jobId: 5 },
    script: { check: (call) => emailBatch(call === 2) },
  },
  'verify-emails/greylisted': {
    workflow: 'verifyEmails',
    input: { jobId: 5 },
    script: { check: (call) => emailBatch(call === 3, call === 1 ? 300_000 : 0) },
  },
  'verify-emails/cancelled-while-it-waits': {
    workflow: 'verifyEmails',
    input: { jobId: 5 },
    script: { check: () => emailBatch(false, 86_400_000) },
    async meanwhile(operation) {
      await operation.untilCalled('check');
      await operation.handle.signal(cancelJobSignal, words);
    },
  },
  'sync-inbox/happy': {
    workflow: 'syncInbox',
    script: { sync: (call) => page(call === 3) },
    meanwhile: (operation) => operation.handle.signal(syncNowSignal),
  },
  'sync-inbox/cluster-deleted': {
    workflow: 'syncInbox',
    script: { sync: (call) => page(call > 1, call > 1 ? 'over' : 'active') },
  },
  'warm-up-mailbox/three-days': {
    workflow: 'warmUpMailbox',
    input: { mailboxId: 5 },
    script: {
      warm_up: (call) => round(call < 3 ? 86_400_000 : null, call < 3 ? 'active' : 'over'),
    },
  },
  'warm-up-mailbox/paused-for-weeks': {
    workflow: 'warmUpMailbox',
    input: { mailboxId: 5 },
    script: {
      warm_up: (call) => round(call === 1 ? 3_600_000 : null, call < 3 ? 'active' : 'over'),
    },
    async meanwhile(operation) {
      await operation.untilCalled('warm_up');
      operation.jobState = 'paused';
      await operation.handle.signal(pauseJobSignal, words);
      await operation.untilPaused();
      await stage.env.sleep('20 days');
      await operation.handle.signal(resumeJobSignal, words);
    },
  },
  'run-campaign/happy': {
    workflow: 'runCampaign',
    input: { campaignId: 5 },
    script: {
      send: async (call) => ({
        ...(await round(call === 2 ? 3 * 86_400_000 : null)),
        isDone: call === 4,
      }),
    },
  },
  'run-campaign/woken-by-leads': {
    workflow: 'runCampaign',
    input: { campaignId: 5 },
    script: {
      send: async (call) => ({ ...(await round(30 * 86_400_000)), isDone: call === 2 }),
    },
    async meanwhile(operation) {
      await operation.untilCalled('send');
      await operation.handle.signal(leadsAddedSignal);
    },
  },
  'run-campaign/paused-for-weeks': {
    workflow: 'runCampaign',
    input: { campaignId: 5 },
    script: {
      send: async (call) => ({
        ...(await round(null, call === 1 ? 'paused' : 'active')),
        isDone: call > 2,
      }),
    },
    async meanwhile(operation) {
      await operation.untilCalled('send');
      operation.jobState = 'paused';
      await operation.handle.signal(pauseJobSignal, words);
      await operation.untilPaused();
      await stage.env.sleep('20 days');
      await operation.handle.signal(resumeJobSignal, words);
    },
  },
  'run-campaign/cancelled': {
    workflow: 'runCampaign',
    input: { campaignId: 5 },
    script: { send: untilCancelled },
    async meanwhile(operation) {
      await operation.untilCalled('send');
      await operation.handle.signal(cancelJobSignal, words);
    },
  },
  'run-campaign/in-a-shard': {
    workflow: 'runCampaign',
    input: { campaignId: 5, isSharded: true },
    meanwhile: inShard,
  },
  'run-campaign/stopped-in-a-shard': {
    workflow: 'runCampaign',
    input: { campaignId: 5, isSharded: true },
    async meanwhile(operation) {
      await handedOver(operation, 1);
      await operation.handle.signal(cancelJobSignal, words);
    },
  },
  'sync-inbox/in-a-shard': {
    workflow: 'syncInbox',
    input: { isSharded: true },
    meanwhile: inShard,
  },
  'warm-up-mailbox/in-a-shard': {
    workflow: 'warmUpMailbox',
    input: { mailboxId: 5, isSharded: true },
    meanwhile: inShard,
  },
  'send-reply/happy': {
    workflow: 'sendReply',
    input: { outgoingId: 6 },
    script: { send: () => ({ ...page(true), isSent: true }) },
  },
  'send-reply/not-filed': {
    workflow: 'sendReply',
    input: { outgoingId: 6 },
    script: {
      send: () => ({ ...page(true), isSent: true }),
      file: () => fail('rejected'),
    },
  },
  'send-reply/scheduled': {
    workflow: 'sendReply',
    input: { outgoingId: 6 },
    script: {
      send: (call) =>
        call < 3
          ? { ...page(false), isSent: false, waitMs: 3 * 86_400_000, progress: 'Waits until then' }
          : { ...page(true), isSent: true },
    },
    async meanwhile(operation) {
      await operation.untilResting();
      await operation.handle.signal(scheduleChangedSignal);
    },
  },
  'send-reply/refused': {
    workflow: 'sendReply',
    input: { outgoingId: 6 },
    script: { send: () => ({ ...page(true), isSent: false }) },
  },
};

/** Each step once, or as `next` says; `paused` finds its row paused the first time. */
function discovery(next: Record<string, (call: number) => string | null>, paused?: string): Script {
  return Object.fromEntries(
    DISCOVERY_STEPS.map((step, at) => [
      step,
      (call: number) => {
        const isPaused = step === paused && call === 1;
        const following = next[step]?.(call) ?? DISCOVERY_STEPS[at + 1] ?? null;
        const state = isPaused ? 'paused' : 'active';
        return { ...page(true), state, next: isPaused ? step : following };
      },
    ]),
  );
}

function emailBatch(isDone: boolean, waitMs = 0) {
  return { state: 'active', isDone, waitMs, progress: 'some addresses' };
}

const wanted = process.argv.slice(2);
const stage = await openStage();
try {
  for (const [name, recording] of Object.entries(recordings)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const { workflow, script = {}, input, meanwhile } = recording;
    const operation = await stage.start(workflow, script, input);
    await meanwhile?.(operation);
    await operation.end();
    const history = historyToJSON(await operation.handle.fetchHistory());
    const path = fileURLToPath(new URL(`./histories/${name}.json`, import.meta.url));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${withoutMachine(history)}\n`);
    process.stdout.write(`recorded ${name}\n`);
  }
} finally {
  await stage.close();
}

/** What hours of sending answer: `waitMs` until there is more to do, null = at once. */
async function round(waitMs: number | null, state = 'active') {
  const at = (await stage.env.currentTimeMs()) + (waitMs ?? 0);
  const nextAt = waitMs === null ? null : new Date(at).toISOString();
  return { ...page(state === 'over', state), nextAt };
}

/** What pages of long jobs answer. */
function page(isDone: boolean, state = 'active') {
  return { state, isDone, progress: 'a page' };
}
function searched(next: 'start' | 'scrape' | 'enrich' | 'end') {
  return { ...page(next !== 'scrape'), next };
}

/** A page that works until it is cancelled. */
async function untilCancelled(): Promise<never> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), 100);
  return context.cancelled.finally(() => clearInterval(timer));
}

/** The turn of the hand-over number `n`, from 1. */
async function handedOver({ records }: StartedOperation, n: number): Promise<number> {
  for (;;) {
    const given = records.filter(({ name }) => name === 'handOverToShard');
    if (given.length >= n) return given[n - 1]!.input.turn;
    await sleep(20);
  }
}

/**
 * What a run in a shard meets: the call of a newer build, a pause that its shard reports, a resume, a week in which
 * nobody says anything, and the report that all is done.
 */
async function inShard(operation: StartedOperation): Promise<void> {
  const { handle } = operation;
  const report = { state: 'active', isDone: false, progress: '12 messages sent' } as const;
  await handedOver(operation, 1);
  await handle.signal(shardReportSignal, { ...report, turn: 0 });
  const turn = await handedOver(operation, 2);
  operation.jobState = 'paused';
  await handle.signal(shardReportSignal, { ...report, state: 'paused', turn });
  await operation.untilPaused();
  operation.jobState = 'active';
  await handle.signal(resumeJobSignal, words);
  await handedOver(operation, 3);
  await stage.env.sleep('8 days');
  const last = await handedOver(operation, 4);
  await handle.signal(shardReportSignal, { ...report, isDone: true, turn: last });
}

async function signal(operation: StartedOperation, step: string, action: ResolutionAction) {
  await operation.untilBlocked(step);
  await operation.handle.signal(resolveBlockedStepSignal, { step, action, ...words });
}

/** Host names, process ids and paths of the recording machine are nobody's business. */
function withoutMachine(history: string): string {
  const drop = new Set(['stackTrace']);
  const named = new Set(['identity', 'workerIdentity']);
  return JSON.stringify(
    JSON.parse(history),
    (key, value: unknown) => {
      if (drop.has(key)) return undefined;
      return named.has(key) ? 'worker' : value;
    },
    1,
  );
}
