/** The tools as a caller sees them: names, grants, annotations, schemas, and the document that lists them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { GRANTS, type Grant } from '../../src/mcp/tool.ts';
import { offered, TOOLS } from '../../src/mcp/tools/index.ts';
import { root } from '../docs/documents.ts';

const NONE: ReadonlySet<Grant> = new Set();
const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

const SPENDING = ['create_cluster', 'discover_leads', 'search_map'];
const SENDING = [
  'create_webhook',
  'reply',
  'send_test_email',
  'start_campaign',
  'start_placement_test',
  'start_warmup',
];

describe('the tools', () => {
  it('are some thirty, each by a name of its own that says what it does', () => {
    const names = namesOf(TOOLS);
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(names.length).toBeLessThanOrEqual(35);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  });

  it.each([
    ['spend', SPENDING],
    ['send', SENDING],
  ] as const)('that %s are offered only where that was granted', (grant, expected) => {
    const added = offered(new Set([grant])).filter((tool) => !offered(NONE).includes(tool));
    expect(namesOf(added).toSorted()).toEqual(expected);
  });

  it('ask for a confirmation, all that need a grant and no other', () => {
    const confirmed = TOOLS.filter(({ input }) => 'confirm' in input.shape);
    expect(namesOf(confirmed)).toEqual(namesOf(TOOLS.filter(({ needs }) => needs !== undefined)));
    for (const { annotations, output } of confirmed) {
      expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
      const { quote } = output.shape as { quote: z.ZodOptional<z.ZodObject> };
      expect(Object.keys(quote.unwrap().shape)).toContain('amountCents');
      expect(Object.keys(quote.unwrap().shape)).toContain('recipients');
    }
    expect(GRANTS).toEqual(['spend', 'send']);
  });

  it('say of themselves all four hints', () => {
    const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
    const silent = TOOLS.filter(({ annotations }) => hints.some((hint) => !(hint in annotations)));
    expect(namesOf(silent)).toEqual([]);
  });

  it('that read change nothing, by their words and by their names', () => {
    const reading = TOOLS.filter(({ annotations }) => annotations.readOnlyHint === true);
    const expected = /^(get|list|find|read|quote|preview|wait)_/;
    expect(namesOf(reading).filter((name) => !expected.test(name))).toEqual([]);
    const others = TOOLS.filter((tool) => !reading.includes(tool));
    expect(namesOf(others).filter((name) => expected.test(name))).toEqual([]);
  });

  it('take no argument that they do not know', () => {
    const lax = TOOLS.filter(({ input }) => {
      const { error } = input.safeParse({ nonsense: 1 });
      return error?.issues.every(({ code }) => code !== 'unrecognized_keys');
    });
    expect(namesOf(lax)).toEqual([]);
  });

  it('name no password and no secret in what they answer', () => {
    const secret = /"[A-Za-z]*(password|secret|apiKey|token)[A-Za-z]*":\{|"key":\{/i;
    const telling = TOOLS.filter(({ output }) =>
      secret.test(JSON.stringify(z.toJSONSchema(output))),
    );
    expect(namesOf(telling)).toEqual([]);
  });

  it('stand in the document, all of them, with what they need', async () => {
    const text = await readFile(join(root, 'docs/mcp.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([a-z_]+)` +\| ([a-z ]+?) +\|/gm)];
    const listed = rows.map(([, name, needs]) => [name, needs]);
    const kindOf = ({ needs, annotations }: (typeof TOOLS)[number]) =>
      needs ?? (annotations.readOnlyHint === true ? 'reads' : 'writes');
    expect(listed).toEqual(TOOLS.map((tool) => [tool.name, kindOf(tool)]));
  });
});
