/** A tool that spends: a quote, a confirmation, one effect. Without an API. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OutreachError } from '../../clients/typescript/src/index.ts';
import { Confirmations } from '../../src/mcp/confirmations.ts';
import type { ToolCall } from '../../src/mcp/tool.ts';
import { twoStep } from '../../src/mcp/two-step.ts';

interface Answer {
  status: string;
  quote?: { summary: string; amountCents: number; confirm: string };
  result?: { bought: string };
}

/** A shop with one price; `fails` is thrown once by the next purchase. */
function shop() {
  const state = { priceCents: 100, fails: undefined as Error | undefined };
  const keys: string[] = [];
  const buy = twoStep({
    name: 'buy',
    title: 'Buy',
    description: 'Buys.',
    needs: 'spend',
    input: z.strictObject({ what: z.string() }),
    result: z.object({ bought: z.string() }),
    async quote({ what }) {
      const { priceCents: amountCents } = state;
      return { summary: `Buys ${what}.`, amountCents, recipients: 0 };
    },
    async act({ what }, _call, { idempotencyKey }) {
      keys.push(idempotencyKey);
      const { fails } = state;
      state.fails = undefined;
      if (fails) throw fails;
      return { bought: what };
    },
  });
  const call = { confirmations: new Confirmations(), principal: 'ada' } as unknown as ToolCall;
  const run = (input: object) => buy.run(input as never, call) as Promise<Answer>;
  return { state, keys, run, tool: buy };
}

const confirmed = async (run: ReturnType<typeof shop>['run'], what: string) => {
  const { quote } = await run({ what });
  return { what, confirm: quote!.confirm };
};

describe('a tool of two steps', () => {
  it('does nothing at the first', async () => {
    const { run, keys } = shop();
    expect(await run({ what: 'tea' })).toMatchObject({
      status: 'needs_confirmation',
      quote: { summary: 'Buys tea.', amountCents: 100 },
    });
    expect(keys).toEqual([]);
  });

  it('has its effect under one key, however often the second is repeated', async () => {
    const { run, keys, state } = shop();
    const order = await confirmed(run, 'tea');
    expect(await run(order)).toEqual({ status: 'done', result: { bought: 'tea' } });
    // What changed after the effect keeps nobody from hearing of it.
    state.priceCents = 999;
    await run(order);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('asks again where the price has changed meanwhile, with a confirmation of the new one', async () => {
    const { run, keys, state } = shop();
    const order = await confirmed(run, 'tea');
    state.priceCents = 120;
    const again = await run(order);
    expect(again).toMatchObject({ status: 'needs_confirmation', quote: { amountCents: 120 } });
    expect(again.quote!.summary).toContain('changed since the last quote; nothing was done');
    expect(keys).toEqual([]);
    await expect(run(order)).rejects.toThrow('unknown or has expired');
    await run({ what: 'tea', confirm: again.quote!.confirm });
    expect(keys).toHaveLength(1);
  });

  it('may be repeated where it is not known what happened, and not where it was refused', async () => {
    const { run, keys, state } = shop();
    const order = await confirmed(run, 'tea');
    state.fails = new Error('the line is dead');
    await expect(run(order)).rejects.toThrow('the line is dead');
    state.fails = new OutreachError(502, { error: 'down', code: 'UPSTREAM_UNAVAILABLE' });
    await expect(run(order)).rejects.toThrow('down');
    expect(await run(order)).toMatchObject({ status: 'done' });
    expect(new Set(keys).size).toBe(1);

    const other = await confirmed(run, 'milk');
    state.fails = new OutreachError(402, { error: 'poor', code: 'INSUFFICIENT_BALANCE' });
    await expect(run(other)).rejects.toThrow('poor');
    await expect(run(other)).rejects.toThrow('unknown or has expired');
  });

  it('says of itself that it takes two calls, and that it cannot be undone', () => {
    const { tool } = shop();
    expect(tool.description).toContain('`confirm`');
    expect(tool.annotations).toMatchObject({ destructiveHint: true, openWorldHint: true });
  });
});
