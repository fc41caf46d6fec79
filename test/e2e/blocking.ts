/** A step that waits for an operator: seen in Temporal, resumed in each way, cancelled, retried. */
import { expect, test } from 'vitest';
import { operationQuery, resolveBlockedStepUpdate } from '../../workflows/contracts/operator.ts';
import { eventually, fundedAccount, newDomain, type Account, type Cluster } from './account.ts';
import { booksOf, outcomeOf, provisioned } from './books.ts';
import type { SharedWorld } from './shared-world.ts';
import { codecFlags, inOperatorsShell } from './temporal-cli.ts';

/** Enough for a first attempt that is cancelled and a second one. */
const FUNDS_CENTS = 6_600;
/** Spec: Limits. */
const PRICE_CENTS = 4_100;
const DOMAIN_CENTS = 1_600;

/** How soon a name without capacity is parked: in seconds, on a machine that does nothing else. */
const PARKED_WITHIN_MS = 120_000;

const BLOCKED = 'OpsState IN ("Blocked","CompensationBlocked") AND OpsStep="server_create"';

interface Blocked {
  account: Account;
  cluster: Cluster;
}

/** One test: capacity is the whole world's, so its parts have an order. */
export function blockingTests(world: () => SharedWorld): void {
  test(
    'no-capacity-*: parked, shown with what to do, resumed by the API, the update and the batch',
    { timeout: 480_000 },
    async () => {
      const ways = ['retry', 'update', 'batch', 'batch', 'cancel'];
      const blockedClusters = await Promise.all(ways.map(() => block(world())));
      const [byRetry, byUpdate, batched, , cancelled] = blockedClusters;
      expect(await listedOf(world(), blockedClusters)).toHaveLength(ways.length);
      const command = await commandOf(world(), batched!);
      await cancel(world(), cancelled!);

      await world().control('PUT', '/capacity', { available: true });
      await byRetry!.account.api.clusters.retry({ id: byRetry!.cluster.id });
      await answerByUpdate(world(), byUpdate!);
      // The batch below would resume all that are still blocked.
      for (const { account, cluster } of [byRetry!, byUpdate!]) {
        await account.until(cluster.id, 'resumed', (now) => now.provisioning.state !== 'blocked');
      }
      await runPrinted(world(), command);
      // Choice 14: a new attempt holds only what is still needed, here the server's $25.00.
      await cancelled!.account.api.clusters.retry({ id: cancelled!.cluster.id });
      const active = provisioned(FUNDS_CENTS - PRICE_CENTS);
      expect(await outcomes(world(), blockedClusters)).toEqual(blockedClusters.map(() => active));
      await world().control('DELETE', '/capacity');
    },
  );
}

async function block(world: SharedWorld): Promise<Blocked> {
  const account = await fundedAccount(world, 'park', FUNDS_CENTS);
  const orderedAt = Date.now();
  const { id } = await account.order(newDomain('no-capacity'));
  const cluster = await account.settled(id);
  expect(Date.now() - orderedAt).toBeLessThan(PARKED_WITHIN_MS);
  expect(cluster).toMatchObject({
    status: 'provisioning',
    provisioning: { step: 'server_create', state: 'blocked', error: { code: 'NO_CAPACITY' } },
  });
  return { account, cluster };
}

/** Those that the list of Temporal's UI shows as blocked; it lags a little. */
async function listedOf({ temporal }: SharedWorld, blockedClusters: Blocked[]): Promise<string[]> {
  const wanted = blockedClusters.map(({ cluster }) => cluster.jobId);
  return eventually('Every parked workflow in the list', async () => {
    const listed: string[] = [];
    for await (const { workflowId } of temporal.workflow.list({ query: BLOCKED })) {
      if (wanted.includes(workflowId)) listed.push(workflowId);
    }
    return listed.length === wanted.length ? listed : undefined;
  });
}

/** The checklist says what happened and what to do; gives the command in it. */
async function commandOf(world: SharedWorld, { cluster }: Blocked): Promise<string> {
  const ask = async (view: string, flags = '') => {
    const line = `temporal workflow ${view} --workflow-id ${cluster.jobId} ${flags}`;
    return (await inOperatorsShell(world, line)).text;
  };
  const currentDetails = await ask('metadata', codecFlags(world));
  expect(currentDetails).toContain(`Blocked: \`server_create\` of cluster/${cluster.id}`);
  expect(currentDetails).toContain('**Last error**');
  expect(currentDetails).toContain('resource_unavailable');
  expect(currentDetails).toContain('**What to do:**');
  expect(currentDetails).toContain('retry, adopt, compensate');
  const command = /```\n(.+?)\n```/s.exec(currentDetails)?.[1];
  expect(command).toContain(BLOCKED);
  // Who has no token for the codec endpoint sees that it is encrypted, and nothing else.
  expect(await ask('metadata')).not.toContain('What to do');
  const summary = inBase64(JSON.stringify(`Provision ${cluster.domain}`));
  const kept = await ask('show', '--output json');
  expect(kept).toContain(inBase64('binary/encrypted'));
  expect(kept).not.toContain(summary);
  const shown = await ask('show', `--output json ${codecFlags(world)}`);
  expect(shown).toContain(summary);
  expect(shown).not.toContain(inBase64('binary/encrypted'));
  return command!;
}

const inBase64 = (text: string) => Buffer.from(text).toString('base64');

/** Running or blocked, a cancel undoes; what was bought stays. Choices 14, 15. */
async function cancel(world: SharedWorld, { account, cluster }: Blocked): Promise<void> {
  await account.api.clusters.cancel({ id: cluster.id });
  const isOver = ({ status }: Cluster) => status !== 'provisioning';
  const { status, provisioning } = await account.until(cluster.id, 'over', isOver);
  expect({ status, code: provisioning.error?.code }).toEqual({
    status: 'failed',
    code: 'CANCELLED',
  });
  const balanceCents = FUNDS_CENTS - DOMAIN_CENTS;
  expect(await account.wallet()).toMatchObject({ balanceCents, heldCents: 0 });
  const [domain] = (await account.api.domains.list({ status: 'active' })).items;
  expect(domain?.domain).toBe(cluster.domain);
  expect((await booksOf(world, cluster.domain)).liveServers).toBe(0);
}

/** With the token that was looked up; a stale one is refused. docs/workflow-rules.md#blocked-steps. */
async function answerByUpdate({ temporal }: SharedWorld, { cluster }: Blocked): Promise<void> {
  const handle = temporal.workflow.getHandle(cluster.jobId);
  const { blocked } = await handle.query(operationQuery);
  const words = { action: 'retry', actor: 'on-call', reason: 'capacity is back' } as const;
  const stale = { ...words, token: 'not-this-one' };
  await expect(handle.executeUpdate(resolveBlockedStepUpdate, { args: [stale] })).rejects.toThrow(
    /update/i,
  );
  const answer = { ...words, token: blocked!.token };
  const done = await handle.executeUpdate(resolveBlockedStepUpdate, { args: [answer] });
  expect(done).toEqual({ step: 'server_create' });
}

/** As an operator would: copied into a shell, with the CLI that the world runs on. */
async function runPrinted(world: SharedWorld, command: string): Promise<void> {
  const { code, text } = await inOperatorsShell(world, command);
  expect(`${code} ${text}`).toMatch(/^0 /);
}

function outcomes(world: SharedWorld, resumed: Blocked[]) {
  return Promise.all(
    resumed.map(async ({ account, cluster }) => {
      await account.until(cluster.id, 'active', ({ status }) => status === 'active');
      return outcomeOf(world, account, cluster);
    }),
  );
}
