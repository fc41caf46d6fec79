/**
 * Records the histories that `replay.test.ts` replays: `node --import tsx test/replay/record.ts`.
 * Run it only for a new case: histories that exist are what running workflows look like, and a
 * change that cannot replay them needs `patched`. Names of cases on the command line limit it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import {
  cancelSignal,
  resolveBlockedStepSignal,
  resolveBlockedStepUpdate,
} from '../../workflows/contracts/operator.ts';
import type { ResolutionAction } from '../../src/domain/operations.ts';
import { fail, type Script } from '../support/fake-activities.ts';
import { openStage, type StartedOperation } from '../support/workflow-stage.ts';

interface Recording {
  workflow: string;
  script?: Script;
  input?: object;
  /** What people do meanwhile. */
  meanwhile?: (operation: StartedOperation) => Promise<unknown>;
}

const words = { actor: 'on-call', reason: 'recorded' };

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
  'buy-domain/happy': { workflow: 'buyDomain', input: { charged: true } },
  'buy-domain/taken': {
    workflow: 'buyDomain',
    input: { charged: false },
    script: { 'domain_purchase.register': () => fail('rejected', 'DOMAIN_UNAVAILABLE') },
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
  'reconcile/happy': { workflow: 'reconcile' },
};

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
