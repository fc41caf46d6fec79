/** Real activities between a test's database, the sandbox and a Temporal server, in one process. */
import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities, type Activities } from '../../../activities/index.ts';
import { dkimBinding } from '../../../activities/engine/access.ts';
import { readConfig } from '../../../src/config.ts';
import { createContext, type Context } from '../../../src/context.ts';
import { createDataConverter } from '../../../src/temporal/payload-codec.ts';
import { rowGuard } from '../../../src/temporal/row-guard.ts';
import { traceActivities, traceSinks } from '../../../src/temporal/trace-calls.ts';
import { setDkimKey } from '../../../src/db/domains/dkim-keys.ts';
import { findLiveDomain, type Domain } from '../../../src/db/domains/domains.ts';
import { credit } from '../../../src/db/wallet/ledger.ts';
import type { Operation } from '../../../src/db/operations/operations.ts';
import { authorityVariables } from '../../../src/sandbox/acme.ts';
import { registrarAccounts } from '../../../src/sandbox/registrar-accounts.ts';
import { VULTR_API_KEY } from '../../../src/sandbox/vultr/wire.ts';
import { registrars } from '../../../src/providers/registrars/index.ts';
import { vpsProviders } from '../../../src/providers/vps/index.ts';
import { buyDomain } from '../../../src/services/domains/domains.ts';
import {
  ACTIVITY_QUEUE,
  vendorQueue,
  WORKFLOW_QUEUE,
} from '../../../src/domain/operations/queues.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { patiently } from './matrix-scope.ts';
import { oauthAccounts } from '../vendors/oauth.ts';
import { startTestSandbox, type TestSandbox } from '../vendors/sandbox.ts';
import { startTemporal } from '../workflows/temporal.ts';
import { trustAuthority } from '../run/trust.ts';
import { defaultsOf, VENDOR_PAIRS, type VendorPair } from './vendor-pairs.ts';
import { workflowCode } from '../workflows/workflow-code.ts';

/** How much faster than the real one the simulated servers boot. */
const SANDBOX_PACE = 20;

export interface ProvisioningWorld {
  database: TestDatabase;
  sandbox: TestSandbox;
  temporal: TestWorkflowEnvironment;
  context: Context;
  /** The same context with these vendors as the default: for operations that begin with it. */
  at(vendors: VendorPair): Context;
  /** A user with this much money. */
  fundedUser(cents: number): Promise<string>;
  close(): Promise<void>;
}

export interface WorldOptions {
  environment?: Record<string, string>;
  /** Wraps the activities, such as with faults. */
  wrap?: (activities: Activities) => Activities;
  /** Wraps the vendors that the activities see. */
  outside?: (context: Context) => Context;
  /** Called with each operation before its workflow starts. */
  beforeStart?: (operation: Operation) => void;
}

export async function startProvisioningWorld(
  options: WorldOptions = {},
): Promise<ProvisioningWorld> {
  const [database, sandbox, temporal, code] = await Promise.all([
    createTestDatabase(),
    startTestSandbox({ pace: SANDBOX_PACE }),
    startTemporal(),
    workflowCode(),
  ]);
  const context = createSandboxContext(database, sandbox, temporal.address, options);
  const { at, activities } = withVendors(context, options);
  const shared = { connection: temporal.nativeConnection, namespace: temporal.namespace! };
  const played = {
    // As the product's own workers.
    maxHeartbeatThrottleInterval: '500 milliseconds',
    activities: options.wrap?.(activities) ?? activities,
    dataConverter: createDataConverter(context.config),
    interceptors: { activity: [traceActivities, rowGuard(context)] },
    sinks: traceSinks,
  };
  const workers = await Promise.all([
    Worker.create({ ...shared, ...played, taskQueue: WORKFLOW_QUEUE, workflowBundle: { code } }),
    Worker.create({ ...shared, ...played, taskQueue: ACTIVITY_QUEUE }),
    // Without the vendors' limits, which would make every test wait.
    ...Object.keys({ ...registrars, ...vpsProviders }).map((vendor) =>
      Worker.create({ ...shared, ...played, taskQueue: vendorQueue(vendor) }),
    ),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  let users = 0;
  return {
    database,
    sandbox,
    temporal,
    context,
    at,
    async fundedUser(cents) {
      users += 1;
      const userId = `user-${users}`;
      await fund(context, userId, cents);
      return userId;
    },
    async close() {
      for (const worker of workers) worker.shutdown();
      await running;
      await context.close();
      await temporal.teardown();
      await sandbox.remove();
      await database.close();
    },
  };
}

/** One context for each pair of vendors; an operation's activities use the pair that it began with. */
function withVendors(context: Context, { outside = (same) => same }: WorldOptions) {
  const begunWith = new Map<number, VendorPair>();
  const installations = new Map(
    VENDOR_PAIRS.map((vendors) => {
      const own: Context = {
        ...context,
        config: { ...context.config, ...defaultsOf(vendors) },
        startOperation(operation, again) {
          begunWith.set(operation.id, vendors);
          return context.startOperation(operation, again);
        },
      };
      return [vendors, { own, activities: createActivities(outside(own)) }];
    }),
  );
  // oxlint-disable-next-line typescript/no-explicit-any -- activities have any one argument
  type Activity = (...input: any[]) => Promise<unknown>;
  const shared = Object.entries<Activity>(createActivities(outside(context)));
  const activities = shared.map(([name, activity]) => [
    name,
    (input?: { operationId?: number }) => {
      const vendors = begunWith.get(input?.operationId ?? -1);
      const own = vendors && installations.get(vendors)!.activities;
      return own ? (own[name as keyof Activities] as Activity)(input) : activity(input);
    },
  ]);
  return {
    at: (vendors: VendorPair) => installations.get(vendors)!.own,
    activities: Object.fromEntries(activities) as Activities,
  };
}

/** The product's own context, with the sandbox's vendors and a quick pace. */
export function createSandboxContext(
  database: TestDatabase,
  sandbox: TestSandbox,
  temporalAddress: string,
  { environment, beforeStart }: WorldOptions = {},
): Context & { close(): Promise<void> } {
  trustAuthority(sandbox.caFile);
  const config = readConfig({
    OUTREACH_ENV: 'development',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '20',
    TEMPORAL_ADDRESS: temporalAddress,
    JWT_SECRET: 'development-secret-of-the-tests-0123456789',
    ENCRYPTION_KEYS: `development:${randomBytes(32).toString('base64')}`,
    RETRY_PACE: '0.02',
    HEARTBEAT_TIMEOUT_SECONDS: '2',
    // All processes share two cores: an answer may be slow without being lost.
    PROVIDER_TIMEOUT_SECONDS: '15',
    PROVIDER_LAG_SECONDS: '0.3',
    RENEWAL_LAG_SECONDS: '0.5',
    DNS_SERVERS: sandbox.dns,
    OUTBOUND_PROXY: sandbox.socks,
    ...authorityVariables(sandbox.url),
    ...registrarAccounts(sandbox.url),
    HETZNER_TOKEN: 'hetzner-sandbox-token',
    HETZNER_URL: `${sandbox.url}/hetzner/v1`,
    VULTR_API_KEY,
    VULTR_BASE_URL: `${sandbox.url}/vultr/v2`,
    ...oauthAccounts(sandbox.url),
    ...environment,
  });
  const context = createContext(config, pino({ level: 'silent' }));
  const { startOperation } = context;
  return Object.assign(context, {
    async startOperation(operation: Operation, again?: Parameters<typeof startOperation>[1]) {
      await giveDkimKey(context, operation);
      beforeStart?.(operation);
      return startOperation(operation, again);
    },
  });
}

/** Making 2048-bit keys would take most of the time of a run: all domains of a process share one. */
async function giveDkimKey(context: Context, operation: Operation): Promise<void> {
  const { domainId } = operation.input as { domainId?: number };
  if (domainId === undefined) return;
  dkimKey ??= generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = dkimKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await setDkimKey(context.db, domainId, {
    selector: 's1',
    sealedPrivateKey: context.cipher.seal(pem, dkimBinding(domainId)),
    publicKey: dkimKey.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  });
}
let dkimKey: { privateKey: KeyObject; publicKey: KeyObject } | undefined;

/** Far more than a purchase takes; a request waits for it only 25 s, and a busy machine may take longer. */
const PURCHASE_LIMIT_MS = 120_000;

/** A domain that the user has bought. */
export async function ownDomain(context: Context, userId: string, domain: string): Promise<Domain> {
  const deadline = Date.now() + PURCHASE_LIMIT_MS;
  const findIt = () => findLiveDomain(context.db, domain);
  for (;;) {
    const live = await patiently(findIt, deadline);
    if (live?.status === 'active') return live;
    if (Date.now() > deadline) throw new Error(`${domain} was not bought in time`);
    // The same name attaches to the purchase in progress (choice 25).
    await buyDomain(context, userId, { domain }).catch(() => undefined);
  }
}

/** A new user with this much money. */
export async function fund({ db }: Context, userId: string, cents: number): Promise<void> {
  const email = `${userId}@example.test`;
  await db.insertInto('users').values({ user_id: userId, email }).execute();
  const movement = { userId, amountCents: cents, description: 'Test' };
  const reference = { referenceType: 'test', referenceId: userId, operationKey: `test:${userId}` };
  await db.transaction().execute((trx) => credit(trx, { ...movement, ...reference }));
}
