/** The guide to operations names every kind and state that clients see, and what each kind works on. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CLIENT_STATES,
  clientKinds,
  clientResource,
} from '../../src/domain/operations/client-operations.ts';
import { FLOWS } from '../../src/domain/operations/flows.ts';
import { root } from './documents.ts';

const guide = await readFile(join(root, 'docs/schedules.md'), 'utf8');
const rows = guide
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('docs/schedules.md', () => {
  it('has each kind of operation, with what it works on', () => {
    const kinds = clientKinds(FLOWS);
    const told = rows
      .filter(([, kind]) => kinds.some((one) => kind === `\`${one}\``))
      .map(([, kind, resource]) => `${kind} ${resource}`);
    const expected = FLOWS.filter(({ kind }) => kinds.includes(kind)).map(
      ({ kind, resource }) => `\`${kind}\` \`${clientResource(resource)}\``,
    );
    expect(told.toSorted()).toEqual(expected.toSorted());
  });

  it('has each state of operations', () => {
    const names = rows.map(([, name]) => name);
    expect(CLIENT_STATES.filter((state) => !names.includes(`\`${state}\``))).toEqual([]);
  });
});
