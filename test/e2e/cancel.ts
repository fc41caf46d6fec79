/** Cancelling a cluster that is at work: nothing of it is left, and the refund is exact. */
import { expect, test } from 'vitest';
import { fundedAccount, newDomain } from './account.ts';
import { booksOf } from './books.ts';
import type { SharedWorld } from './shared-world.ts';

const FUNDS_CENTS = 5_000;
/** Spec: Limits. A domain. */
const DOMAIN_CENTS = 1_600;

/** Each fault holds its own cluster at one step, so that the cancel surely comes in time. */
const CASES = [
  {
    title: 'before the purchase: all money back, the domain is not bought',
    step: 'domain_purchase',
    fault: (domain: string) => ({ vendor: 'namecom', operation: `GET /domains/${domain}` }),
    chargedCents: 0,
    bought: false,
  },
  {
    title: 'after the purchase: all but $16.00 back, the domain stays, its records do not',
    step: 'verify',
    fault: (domain: string) => ({ vendor: 'dns', operation: `MX /${domain}` }),
    chargedCents: DOMAIN_CENTS,
    bought: true,
  },
];

export function cancelTests(world: () => SharedWorld): void {
  test.for(CASES.map((one) => [one.title, one] as const))('cancelled %s', async ([, one]) => {
    const account = await fundedAccount(world(), 'cancel', FUNDS_CENTS);
    const domain = newDomain('cancel');
    await world().control('POST', '/faults', { ...one.fault(domain), kind: 'error_500' });
    const { id } = await account.order(domain);
    await account.until(id, `at ${one.step}`, ({ provisioning: p }) => p.step === one.step);
    await account.api.clusters.cancel({ id });
    const isOver = ({ status }: { status: string }) => status !== 'provisioning';
    const { status, provisioning } = await account.until(id, 'over', isOver);
    expect(status).toBe('failed');
    expect(provisioning).toMatchObject({ state: 'failed', error: { code: 'CANCELLED' } });

    const balanceCents = FUNDS_CENTS - one.chargedCents;
    expect(await account.wallet()).toMatchObject({ balanceCents, heldCents: 0 });
    expect(await booksOf(world(), domain)).toEqual({
      orders: one.bought ? 1 : 0,
      liveServers: 0,
      records: [],
    });
    const { items: active } = await account.api.domains.list({ status: 'active' });
    expect(active.map((row) => row.domain)).toEqual(one.bought ? [domain] : []);
    // The same again changes nothing.
    await account.api.clusters.cancel({ id });
    expect(await account.wallet()).toMatchObject({ balanceCents });
  });
}
