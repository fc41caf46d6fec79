/** kill -9 of each process while one cluster is being bought and another one installed. */
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  eventually,
  fundedAccount,
  newDomain,
  QUICK_POLL_MS,
  type Account,
  type Cluster,
} from './account.ts';
import { outcomeOf, provisioned } from './books.ts';
import type { SharedWorld } from './shared-world.ts';

const VICTIMS = ['worker', 'postgres', 'temporal', 'sandbox', 'api'] as const;
type Victim = (typeof VICTIMS)[number];

const FUNDS_CENTS = 5_000;
/** Spec: Limits. New domain and new server. */
const PRICE_CENTS = 4_100;

/** What keeps one cluster in `mail_server_install` and the other one in `server_create`, until it is taken away. */
const HOLDS = [
  { vendor: 'ssh', operation: 'EXEC /install' },
  { vendor: 'hetzner', operation: 'GET /servers' },
];
const HELD_MS = 120_000;

interface Provisioning {
  account: Account;
  cluster: { id: number; domain: string };
}

export function killTests(world: () => SharedWorld): void {
  const hit = new Map<Victim, Provisioning[]>();

  const hold = (at: (typeof HOLDS)[number]) =>
    world().control('POST', '/faults', { ...at, kind: 'slow', delayMs: HELD_MS });

  test.for(VICTIMS)(
    '%s, killed in the middle of two provisionings, comes back as a new process',
    { timeout: 400_000 },
    async (victim) => {
      onTestFinished(() => world().control('DELETE', '/faults'));
      await hold(HOLDS[0]!);
      const late = await begin(world(), victim);
      await untilStep(late, ['mail_server_install']);
      await hold(HOLDS[1]!);
      const early = await begin(world(), victim);
      await untilStep(early, ['domain_purchase', 'server_create']);
      expect((await late.account.cluster(late.cluster.id)).provisioning).toMatchObject({
        step: 'mail_server_install',
      });
      hit.set(victim, [late, early]);
      const { pids } = await world().running.read();
      process.kill(pids[victim]!, 'SIGKILL');
      await eventually(`${victim} with a new number`, async () => {
        const now = await world().running.read();
        return now.pids[victim] === pids[victim] ? undefined : true;
      });
      await eventually(`an answer of ${victim}`, () => isBack(world(), victim));
    },
  );

  describe.concurrent('what was hit ends as if nothing had happened', () => {
    test.for(VICTIMS)(
      '%s: both clusters active, one domain and one server each, 4100 cents less',
      { timeout: 400_000 },
      async (victim) => {
        expect(hit.get(victim)).toHaveLength(2);
        for (const { account, cluster } of hit.get(victim)!) {
          expect(await outcomeOf(world(), account, cluster)).toEqual(
            provisioned(FUNDS_CENTS - PRICE_CENTS),
          );
        }
      },
    );
  });

  test('the ledger sums to zero, no hold is left open', async () => {
    expect(await auditWallets(world().db)).toEqual([]);
  });
}

async function begin(world: SharedWorld, victim: Victim): Promise<Provisioning> {
  const account = await fundedAccount(world, `kill-${victim}`, FUNDS_CENTS);
  return { account, cluster: await account.order(newDomain(`kill-${victim}`)) };
}

/** Fails when the cluster has gone past: the kill would not be in the middle of anything. */
async function untilStep({ account, cluster }: Provisioning, steps: string[]): Promise<void> {
  const isThere = ({ status, provisioning: { step } }: Cluster) =>
    status !== 'provisioning' || (step !== null && steps.includes(step));
  const what = `at ${steps.join(' or ')}`;
  const now = await account.until(cluster.id, what, isThere, QUICK_POLL_MS);
  expect(now.provisioning).toMatchObject({ state: 'running' });
}

/** Each by the path on which its users notice it. */
async function isBack({ file }: SharedWorld, victim: Victim): Promise<true | undefined> {
  const urls = {
    worker: new URL('/ready', file.metrics.worker).href,
    sandbox: `${file.sandbox}/_sandbox/faults`,
  };
  const url = victim in urls ? urls[victim as keyof typeof urls] : `${file.api}/health`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  if (!answer.ok) return undefined;
  if (victim === 'worker' || victim === 'sandbox') return true;
  const health = (await answer.json()) as { data: { checks: Record<string, string> } };
  return Object.values(health.data.checks).every((state) => state === 'up') || undefined;
}
