/** Domain names that make vendors misbehave, each ending as the world's documentation says. */
import { expect, test } from 'vitest';
import { fundedAccount, newDomain } from './account.ts';
import { outcomeOf, provisioned, refused } from './books.ts';
import type { SharedWorld } from './shared-world.ts';

const FUNDS_CENTS = 5_000;
/** Spec: Limits. New domain and new server. */
const PRICE_CENTS = 4_100;

export function magicNameTests(world: () => SharedWorld): void {
  test.for([
    ['flaky', 'heals alone, bought once'],
    ['lost-answer', 'is looked up and adopted, bought once'],
  ] as const)('%s-*: %s', async ([prefix]) => {
    const account = await fundedAccount(world(), prefix, FUNDS_CENTS);
    const cluster = await account.order(newDomain(prefix));
    expect(await outcomeOf(world(), account, cluster)).toEqual(
      provisioned(FUNDS_CENTS - PRICE_CENTS),
    );
  });

  test.for([
    ['taken', 'DOMAIN_UNAVAILABLE'],
    ['premium', 'PRICE_ABOVE_CAP'],
  ] as const)('%s-*: failed with %s, all money back, nothing bought', async ([prefix, code]) => {
    const account = await fundedAccount(world(), prefix, FUNDS_CENTS);
    const cluster = await account.order(newDomain(prefix));
    expect(await outcomeOf(world(), account, cluster)).toEqual(refused(code, FUNDS_CENTS));
    const { provisioning } = await account.cluster(cluster.id);
    expect(provisioning.error?.message).toContain(cluster.domain);
    expect((await account.api.domains.list({ status: 'active' })).items).toEqual([]);
  });
}
