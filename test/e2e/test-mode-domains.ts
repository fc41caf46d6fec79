/** Magic domains by a test key: each ends as docs/test-mode.md says, and costs play money alone. */
import { expect, it } from 'vitest';
import { newDomain } from './account.ts';
import { booksOf, outcomeOf, provisioned, refused } from './books.ts';
import {
  PLAY_MONEY_CENTS,
  testAccount,
  testModeOf,
  type TestModeWorld,
} from './test-mode-account.ts';

/** Spec: Limits. New domain and new server. */
const PRICE_CENTS = 4_100;
const DOMAIN_CENTS = 1_600;
/** What a call about `slow-*` takes, less what timers are early. */
const SLOW_MS = 1_900;
const TIMEOUT_MS = 400_000;

const REFUSED = [
  ['taken', 'DOMAIN_UNAVAILABLE'],
  ['premium', 'PRICE_ABOVE_CAP'],
] as const;
const HEALED = [
  ['slow', 'takes longer, and comes'],
  ['flaky', 'heals alone, bought once'],
  ['lost-answer', 'bought once all the same'],
] as const;
const WAITS = 'no-capacity';

/** What is tried here; test/docs/magic-names.test.ts holds it against the documents. */
export const TRIED_DOMAINS = [...[...REFUSED, ...HEALED].map(([prefix]) => prefix), WAITS];

export function testModeDomainTests(shared: () => TestModeWorld): void {
  it.for(REFUSED)(
    '%s-*: failed with %s, all play money back, nothing bought',
    { timeout: TIMEOUT_MS },
    async ([prefix, code]) => {
      const account = await testAccount(shared(), prefix);
      const cluster = await account.order(newDomain(prefix));
      const outcome = await outcomeOf(testModeOf(shared()), account, cluster);
      expect(outcome).toEqual(refused(code, PLAY_MONEY_CENTS));
      expect(shared().heard).toEqual([]);
    },
  );

  it.for(HEALED)('%s-*: %s', { timeout: TIMEOUT_MS }, async ([prefix]) => {
    const account = await testAccount(shared(), prefix);
    const cluster = await account.order(newDomain(prefix));
    const outcome = await outcomeOf(testModeOf(shared()), account, cluster);
    expect(outcome).toEqual(provisioned(PLAY_MONEY_CENTS - PRICE_CENTS));
    expect(shared().heard).toEqual([]);
  });

  it('slow-*: a call about it takes two seconds', { timeout: TIMEOUT_MS }, async () => {
    const account = await testAccount(shared(), 'slow-check');
    const startedAt = performance.now();
    await account.api.domains.check({ body: { domains: [newDomain('slow')] } });
    expect(performance.now() - startedAt).toBeGreaterThan(SLOW_MS);
  });

  it(
    `${WAITS}-*: the step waits, and the order can be cancelled`,
    { timeout: TIMEOUT_MS },
    async () => {
      const account = await testAccount(shared(), WAITS);
      const { id, domain } = await account.order(newDomain(WAITS));
      expect(await account.settled(id)).toMatchObject({
        status: 'provisioning',
        provisioning: { step: 'server_create', state: 'blocked', error: { code: 'NO_CAPACITY' } },
      });
      await account.api.clusters.cancel({ id });
      const over = await account.until(id, 'over', ({ status }) => status !== 'provisioning');
      expect([over.status, over.provisioning.error?.code]).toEqual(['failed', 'CANCELLED']);
      // The domain was bought, and stays.
      const balanceCents = PLAY_MONEY_CENTS - DOMAIN_CENTS;
      expect(await account.wallet()).toMatchObject({ balanceCents, heldCents: 0 });
      const { orders, liveServers } = await booksOf(testModeOf(shared()), domain);
      expect({ orders, liveServers }).toEqual({ orders: 1, liveServers: 0 });
      expect(shared().heard).toEqual([]);
    },
  );
}
