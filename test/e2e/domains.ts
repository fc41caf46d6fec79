/** Buying a domain alone: once, whoever asks and however often, also when the registrar is ill. */
import { expect, test } from 'vitest';
import { newDomain, openAccount, type Account } from './account.ts';
import { booksOf } from './books.ts';
import type { SharedWorld } from './shared-world.ts';

/** Requests for one name at the same time. */
const AT_ONCE = 5;

/** What holds for the whole registrar: nothing else may buy meanwhile. */
export function illRegistrarTests(world: () => SharedWorld): void {
  test('a registrar that is down: 502 UPSTREAM_UNAVAILABLE, and nothing is kept', async () => {
    const account = await openAccount(world(), 'down');
    const domain = newDomain('down');
    await world().control('POST', '/faults', { vendor: 'namecom', kind: 'error_500' });
    const { status, body } = await post(account, domain);
    await world().control('DELETE', '/faults');
    expect({ status, code: body.code }).toEqual({ status: 502, code: 'UPSTREAM_UNAVAILABLE' });
    for (const state of ['pending', 'active', 'failed'] as const) {
      expect((await account.api.domains.list({ status: state })).items).toEqual([]);
    }
    expect((await booksOf(world(), domain)).orders).toBe(0);
  });

  test('an expired token parks the purchase; asked again after its renewal it is bought', async () => {
    const account = await openAccount(world(), 'auth');
    const domain = newDomain('auth');
    await world().control('POST', '/faults', { vendor: 'namecom', kind: 'auth' });
    const waiting = await account.api.domains.buy({ body: { domain } });
    expect(waiting).toMatchObject({ domain, isActive: false, purchasedAt: null });
    expect(await account.api.domains.read({ id: waiting.id })).toMatchObject({
      status: 'pending',
    });
    await world().control('DELETE', '/faults');
    const bought = await account.api.domains.buy({ body: { domain } });
    expect(bought).toMatchObject({ id: waiting.id, isActive: true, status: 'active' });
    expect((await booksOf(world(), domain)).orders).toBe(1);
  });
}

export function domainTests(world: () => SharedWorld): void {
  test('a domain is bought once, and then is this user’s alone', async () => {
    const [account, other] = [
      await openAccount(world(), 'buy'),
      await openAccount(world(), 'rival'),
    ];
    const domain = newDomain('buy');
    const bought = await account.api.domains.buy({ body: { domain } });
    expect(bought).toMatchObject({ domain, isActive: true, status: 'active' });
    expect(bought.purchasedAt).not.toBeNull();
    const again = await post(account, domain);
    expect({ status: again.status, code: again.body.code }).toEqual({
      status: 400,
      code: 'DOMAIN_ALREADY_OWNED',
    });
    const rival = await post(other, domain);
    expect({ status: rival.status, code: rival.body.code }).toEqual({
      status: 400,
      code: 'DOMAIN_UNAVAILABLE',
    });
    expect((await booksOf(world(), domain)).orders).toBe(1);
  });

  test('one name asked for five times at once is one order, and every answer is about it', async () => {
    const account = await openAccount(world(), 'at-once');
    const domain = newDomain('at-once');
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => post(account, domain)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1);
    // Who comes after the purchase is told that it is done.
    const others = answers.filter(({ status }) => status !== 201);
    expect(made.every(({ body }) => body.data.isActive)).toBe(true);
    expect(others.every(({ body }) => body.code === 'DOMAIN_ALREADY_OWNED')).toBe(true);
    expect((await booksOf(world(), domain)).orders).toBe(1);
  });
}

const post = (account: Account, domain: string) => account.call('POST', '/v1/domains', { domain });
