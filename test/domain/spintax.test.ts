/** Spintax and variants: the same choice at every attempt, evenly spread over leads. */
import { describe, expect, it } from 'vitest';
import { choose, seedOf } from '../../src/domain/seeded-choice.ts';
import { spin } from '../../src/domain/campaigns/spintax.ts';
import { parseTemplate } from '../../src/domain/campaigns/template-syntax.ts';

const written = (template: string, seed: string) =>
  spin(parseTemplate(template).nodes, seed)
    .map((node) => (typeof node === 'string' ? node : `<${node.variable}/${node.fallback}>`))
    .join('');
const all = (template: string) =>
  new Set(Array.from({ length: 400 }, (_, n) => written(template, `seed-${n}`)));

describe('spin', () => {
  it('takes one option of each group, at any depth', () => {
    expect(all('{a|b|c}')).toEqual(new Set(['a', 'b', 'c']));
    expect(all('{a|{b|c}} {x|y}').size).toBe(6);
    expect(all('{|very }good')).toEqual(new Set(['good', 'very good']));
    expect(all('{{a|b}|c}')).toEqual(new Set(['a', 'b', 'c']));
  });

  it('tells variables with a fallback from groups', () => {
    expect(all('{Hi {{firstName|there}}|Hello}')).toEqual(
      new Set(['Hi <firstName/there>', 'Hello']),
    );
    expect(all('{{{firstName|there}}|friend}')).toEqual(new Set(['<firstName/there>', 'friend']));
    expect(all('{friend|{{firstName}}}')).toEqual(new Set(['friend', '<firstName/>']));
  });

  it('leaves braces without a choice as they are', () => {
    expect(all('a { b } | c { d')).toEqual(new Set(['a { b } | c { d']));
    expect(all('{a|b')).toEqual(new Set(['{a|b']));
  });

  it('chooses the same for one seed, and independently in each group', () => {
    for (let n = 0; n < 50; n += 1) {
      expect(written('{a|b} {a|b} {a|b}', `${n}`)).toBe(written('{a|b} {a|b} {a|b}', `${n}`));
    }
    expect(all('{a|b} {a|b} {a|b}').size).toBe(8);
  });
});

describe('choose', () => {
  it('spreads evenly over leads, steps and campaigns', () => {
    for (const count of [2, 3, 7]) {
      const seen = Array.from({ length: count }, () => 0);
      for (let leadId = 1; leadId <= 7_000; leadId += 1) {
        seen[choose(seedOf({ campaignId: 12, leadId, position: 0 }, 'variant'), count)]! += 1;
      }
      for (const number of seen) {
        expect(Math.abs(number - 7_000 / count)).toBeLessThan((7_000 / count) * 0.12);
      }
    }
  });

  it('a choice for one purpose says nothing of another', () => {
    let same = 0;
    for (let leadId = 1; leadId <= 2_000; leadId += 1) {
      const seed = { campaignId: 3, leadId, position: 1 };
      same += Number(choose(seedOf(seed, 'variant'), 2) === choose(seedOf(seed, 'text-0'), 2));
    }
    expect(Math.abs(same - 1_000)).toBeLessThan(120);
  });
});
