/**
 * ARCHITECTURE.md stays two pages with one picture, and leads to where the most frequent changes begin.
 * The picture is checked and drawn by @probelabs/maid: the parser of the `mermaid` package wants a browser's
 * DOM and brings 200 MB. It refuses some of what Mermaid takes (quotes in other than square brackets).
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderMermaid, validate } from '@probelabs/maid';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from './documents.ts';

let text: string;

beforeAll(async () => {
  text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
});

describe('ARCHITECTURE.md', () => {
  it('prints on two pages of 60 lines with 110 columns', () => {
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(120);
    expect(lines.filter((line) => line.length > 110)).toEqual([]);
  });

  it('has one picture, which renders with every part of the system', () => {
    const pictures = [...text.matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map(([, one]) => one!);
    expect(pictures).toHaveLength(1);
    expect(validate(pictures[0]!)).toEqual({ type: 'flowchart', errors: [] });
    const { svg, errors } = renderMermaid(pictures[0]!);
    expect(errors).toEqual([]);
    const drawn = [...svg.matchAll(/<text[\s\S]*?<\/text>/g)].join('\n').replaceAll(/<[^>]*>/g, '');
    for (const part of PARTS) expect(drawn).toContain(part);
  });

  it.each([
    ['a step without its end', 'flowchart TB\n  api["API" --> postgres'],
    ['an arrow to nowhere', 'flowchart TB\n  api --> --> postgres'],
    ['a group that is not closed', 'flowchart TB\n  subgraph worker\n    workflows --> activities'],
    ['words', 'flowchart TB\n  the API calls the database'],
  ])('would not pass with %s in the picture', (_, picture) => {
    expect(validate(picture).errors).not.toEqual([]);
  });

  it('says where ten frequent changes begin, in files that exist', () => {
    const table = /^## Where is what\?$([\s\S]*?)^## /m.exec(text)?.[1] ?? '';
    const rows = [...table.matchAll(/^\| (?!What|-)(.*)\|$/gm)].map(([, row]) => row!);
    expect(rows).toHaveLength(10);
    const paths = rows.map((row) => [...row.matchAll(/`([\w-]+\/[^`]+)`/g)].map(([, one]) => one!));
    expect(paths.filter((each) => each.length === 0)).toEqual([]);
    expect(paths.flat().filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

const PARTS = [
  'Clients',
  'Operators',
  'API',
  'Postgres',
  'Temporal',
  'Worker',
  'Workflows',
  'Activities',
  'Vendors',
  'Mail hosts',
  'Recipients',
  'World',
];
