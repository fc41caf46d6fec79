/** Temporal is down while a row is written: the reconciler starts its workflow, once. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eventually, fundedAccount, newDomain, type Account } from './account.ts';
import { outcomeOf, provisioned } from './books.ts';
import type { SharedWorld } from './shared-world.ts';

const FUNDS_CENTS = 5_000;
/** Spec: Limits. New domain and new server. */
const PRICE_CENTS = 4_100;

/** What waits for a workflow gets one by then. docs/workflow-rules.md#the-row-comes-first. */
const STARTED_WITHIN_MS = 60_000;

export function outageTests(world: () => SharedWorld): {
  writeRow(): void;
  expectStarted(): void;
} {
  let written: { account: Account; cluster: { id: number; domain: string; jobId: string } };
  let backAt = 0;
  return {
    writeRow() {
      test('a cluster ordered while Temporal is down is kept: 201, and no workflow', async () => {
        const account = await fundedAccount(world(), 'outage', FUNDS_CENTS);
        const { supervisor, temporal } = (await world().running.read()).pids;
        // Stopped, the supervisor cannot start another Temporal.
        process.kill(supervisor!, 'SIGSTOP');
        try {
          process.kill(temporal!, 'SIGKILL');
          const cluster = await account.order(newDomain('outage'));
          expect(cluster.status).toBe('provisioning');
          written = { account, cluster };
          expect(await startedAt(world(), cluster)).toBeNull();
        } finally {
          process.kill(supervisor!, 'SIGCONT');
        }
        await eventually('Temporal', async () => {
          await world().temporal.workflowService.getSystemInfo({});
          return true;
        });
        backAt = Date.now();
      });
    },
    expectStarted() {
      test(
        'the reconciler starts it within a minute; nothing is doubled',
        { timeout: 480_000 },
        async () => {
          const { account, cluster } = written;
          const at = await eventually(
            'The start of its workflow',
            async () => (await startedAt(world(), cluster)) ?? undefined,
          );
          expect(at.getTime() - backAt).toBeLessThan(STARTED_WITHIN_MS);
          expect(await outcomeOf(world(), account, cluster)).toEqual(
            provisioned(FUNDS_CENTS - PRICE_CENTS),
          );
        },
      );
    },
  };
}

const startedAt = async ({ db }: SharedWorld, { jobId }: { jobId: string }) =>
  (
    await db
      .selectFrom('operations')
      .select('started_at')
      .where(sql`concat_ws('/', workflow_id, run_key)`, '=', jobId)
      .executeTakeFirstOrThrow()
  ).started_at;
