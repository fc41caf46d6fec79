/** Clusters that are ordered while no workflow runs, and their activities called one by one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createActivities, type Activities } from '../../../activities/index.ts';
import type { Context } from '../../../src/context.ts';
import { getCluster, type Cluster } from '../../../src/db/clusters/clusters.ts';
import { createCluster } from '../../../src/services/clusters/clusters.ts';
import { activityEnvironment } from '../workflows/activity-environment.ts';
import { createTestDatabase } from '../database/database.ts';
import { createSandboxContext, fund } from './provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../vendors/sandbox.ts';

const PATIENCE_MS = 45_000;
const AGAIN_MS = 100;

export interface OrderWorld {
  context: Context;
  sandbox: TestSandbox;
  /** A cluster with a new domain and a new server, as the API inserts it. */
  order(domain: string): Promise<Cluster>;
  call<T = unknown>(name: keyof Activities, input: object): Promise<T>;
  /** Retries like Temporal while the failure's type is one of these. */
  callUntilDone(name: keyof Activities, input: object, heals: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** `environment` gets the address of the stand-ins. */
export async function startOrderWorld(
  environment: (sandboxUrl: string) => Record<string, string>,
): Promise<OrderWorld> {
  const [database, sandbox] = await Promise.all([
    createTestDatabase(),
    startTestSandbox({ pace: 20 }),
  ]);
  const context = createSandboxContext(database, sandbox, '127.0.0.1:9', {
    environment: { PROVIDER_TIMEOUT_SECONDS: '3', ...environment(sandbox.url) },
  });
  context.startOperation = async () => false;
  const activities = createActivities(context);
  await fund(context, 'ann', 100_000);
  const call = <T = unknown>(name: keyof Activities, input: object): Promise<T> =>
    activityEnvironment().run(activities[name] as (given: object) => Promise<T>, input);
  return {
    context,
    sandbox,
    call,
    async order(domain) {
      const { id } = await createCluster(context, 'ann', { domain, useExistingVps: false });
      return getCluster(context.db, id);
    },
    async callUntilDone(name, input, heals) {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        try {
          await call(name, input);
          return;
        } catch (error) {
          const { type = '' } = error as { type?: string };
          if (!heals.includes(type) || Date.now() > deadline) throw error;
          await sleep(AGAIN_MS);
        }
      }
    },
    async close() {
      await context.close();
      await sandbox.remove();
      await database.close();
    },
  };
}
