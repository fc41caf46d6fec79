/** What the tools that search for leads say before they do it: how much, and who pays for what. */
import { describe, expect, it } from 'vitest';
import { SEARCH_VENDORS } from '../../src/domain/discovery/purchases-in-words.ts';
import { Confirmations } from '../../src/mcp/confirmations.ts';
import type { ToolCall } from '../../src/mcp/tool.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { vendors } from '../../src/providers/vendors.ts';

const call = { confirmations: new Confirmations(), principal: 'ann' } as ToolCall;

async function quoteOf(name: string, args: object) {
  const tool = TOOLS.find((one) => one.name === name)!;
  const { quote } = (await tool.run(tool.input.parse(args) as never, call)) as {
    quote: { summary: string; amountCents: number };
  };
  return quote;
}
const UNKNOWN = 'by an amount that is not known here';
const CHECKS = 'checks of addresses at an e-mail verifier (Reacher or ZeroBounce)';

it('names the vendors of each port that are paid for, by the names that the settings have', () => {
  const ports = Object.keys(SEARCH_VENDORS) as (keyof typeof SEARCH_VENDORS)[];
  for (const port of ports) {
    // Our own probe asks mail servers, whom nobody pays.
    const paid = Object.keys(vendors[port]).filter((name) => name !== 'smtp_probe');
    expect(Object.keys(SEARCH_VENDORS[port]).toSorted()).toEqual(paid.toSorted());
  }
});

describe('a quote of a search', () => {
  it('on the map says how many places, that addresses are verified, and that its price is not known', async () => {
    const search = { searches: ['dentist', 'bakery'], maxPlacesPerSearch: 50 };
    const { summary, amountCents } = await quoteOf('search_map', search);
    expect(amountCents).toBe(0);
    expect(summary).toContain('at most 100 places');
    expect(summary).toContain('The addresses found there are verified, too');
    expect(summary).toContain(UNKNOWN);
    expect(summary).toContain(`places at a map search (Apify or Google) and ${CHECKS}`);
    const plain = await quoteOf('search_map', { ...search, verifyEmails: false });
    expect(plain.summary).toContain('The addresses found there are not verified');
    expect(plain.summary).not.toContain(CHECKS);
  });

  it('in ad libraries says how many people, and that its price is not known', async () => {
    const { summary } = await quoteOf('discover_leads', { searchTerm: 'shoes', leadCount: 20 });
    expect(summary).toContain('until 20 people are found');
    expect(summary).toContain(UNKNOWN);
    expect(summary).toContain('ads at an ad library (Meta or Apify)');
    expect(summary).toContain('contacts at a finder (Hunter or Apollo)');
    expect(summary).toContain(CHECKS);
  });
});
