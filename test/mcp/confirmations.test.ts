/** Confirmations: good for one order at one price, of one caller, for minutes. */
import { describe, expect, it } from 'vitest';
import { canonical, Confirmations, type Order } from '../../src/mcp/confirmations.ts';

const order: Order = {
  tool: 'create_cluster',
  principal: 'ada',
  args: { domain: 'a.com', useExistingServer: false },
};
const terms = { amountCents: 4_100 };
const MINUTE = 60_000;

function at(start = 0) {
  const clock = { now: start };
  return { clock, confirmations: new Confirmations(() => clock.now) };
}

describe('a confirmation', () => {
  it('is good for the order that it was made for, in whatever order its arguments stand', () => {
    const { confirmations } = at();
    const { token } = confirmations.issue(order, terms);
    const same = { ...order, args: { useExistingServer: false, domain: 'a.com' } };
    const read = confirmations.read(token, same);
    expect(read).toMatchObject({ isUsed: false, terms: canonical(terms) });
    expect(read.idempotencyKey).toMatch(/^mcp-[0-9a-f]{64}$/);
  });

  it.each<[string, Order]>([
    ['another domain', { ...order, args: { domain: 'b.com', useExistingServer: false } }],
    ['one more argument', { ...order, args: { ...order.args, serverId: 1 } }],
    ['another tool', { ...order, tool: 'start_campaign' }],
    ['another caller', { ...order, principal: 'eve' }],
  ])('is not good for %s', (_, other) => {
    const { confirmations } = at();
    const { token } = confirmations.issue(order, terms);
    expect(() => confirmations.read(token, other)).toThrow('of another call');
  });

  it('is none where it was made up', () => {
    const { confirmations } = at();
    confirmations.issue(order, terms);
    expect(() => confirmations.read('confirm_AAAAAAAAAAAAAAAAAAAAAA', order)).toThrow('unknown');
  });

  it('ends after ten minutes', () => {
    const { clock, confirmations } = at();
    const { token, expiresAt } = confirmations.issue(order, terms);
    expect(expiresAt).toBe('1970-01-01T00:10:00.000Z');
    clock.now = 10 * MINUTE - 1;
    expect(confirmations.read(token, order).isUsed).toBe(false);
    clock.now += 1;
    expect(() => confirmations.read(token, order)).toThrow('expired');
  });

  it('has one key for all its repeats, and another one than the next confirmation', () => {
    const { confirmations } = at();
    const [first, second] = [confirmations.issue(order, terms), confirmations.issue(order, terms)];
    const before = confirmations.read(first.token, order);
    confirmations.use(first.token);
    const after = confirmations.read(first.token, order);
    expect(after).toEqual({ ...before, isUsed: true });
    expect(confirmations.read(second.token, order).idempotencyKey).not.toBe(before.idempotencyKey);
  });

  it('is gone when the API refused', () => {
    const { confirmations } = at();
    const { token } = confirmations.issue(order, terms);
    confirmations.drop(token);
    expect(() => confirmations.read(token, order)).toThrow('unknown');
  });

  it('gives way where somebody asks for a thousand more', () => {
    const { confirmations } = at();
    const { token: first } = confirmations.issue(order, terms);
    const later = Array.from({ length: 1_000 }, () => confirmations.issue(order, terms).token);
    expect(() => confirmations.read(first, order)).toThrow('unknown');
    expect(later.map((token) => confirmations.read(token, order).isUsed)).not.toContain(true);
  });

  it('stays where somebody else asks for thousands', () => {
    const { clock, confirmations } = at();
    const { token } = confirmations.issue(order, terms);
    const eve = { ...order, principal: 'eve' };
    for (let n = 0; n < 3_000; n += 1) confirmations.issue(eve, terms);
    expect(confirmations.read(token, order).isUsed).toBe(false);
    expect(confirmations.size).toBe(1_001);
    clock.now = 10 * MINUTE;
    confirmations.issue(order, terms);
    expect(confirmations.size).toBe(1);
  });

  it('stays where thousands of callers ask, and gives way for whoever has most', () => {
    const { confirmations } = at();
    const { token } = confirmations.issue(order, terms);
    const eve = { ...order, principal: 'eve' };
    const [first, second] = [confirmations.issue(eve, terms), confirmations.issue(eve, terms)];
    for (let n = 0; n < 9_998; n += 1) {
      confirmations.issue({ ...order, principal: `made-up-${n}` }, terms);
    }
    expect(confirmations.size).toBe(10_000);
    expect(confirmations.read(token, order).isUsed).toBe(false);
    expect(() => confirmations.read(first.token, eve)).toThrow('unknown');
    expect(confirmations.read(second.token, eve).isUsed).toBe(false);
    for (let n = 0; n < 200; n += 1) {
      confirmations.issue({ ...order, principal: `more-${n}` }, terms);
    }
    expect(confirmations.size).toBe(10_000);
  });
});
