/** docs/deployment.md#who-goes-first says of each flow when it gets workers: what `flows.ts` says. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FLOWS } from '../../src/domain/operations/flows.ts';
import { priorityFor } from '../../src/temporal/priorities.ts';
import { root } from './documents.ts';

it('each flow is in the row of its priority', async () => {
  const text = await readFile(join(root, 'docs/deployment.md'), 'utf8');
  const [, section = ''] = text.split('### Who goes first');
  const told = [...section.split('\n#')[0]!.matchAll(/^\| (\d) +\|[^|]*\|([^|]*)\|$/gm)].map(
    ([, key, flows = '']) => [Number(key), [...flows.matchAll(/`(\w+)`/g)].map(([, kind]) => kind)],
  );
  const keyOf = ({ priority }: (typeof FLOWS)[number]) => priorityFor(priority, 'ann').priorityKey;
  const keys = [...new Set(FLOWS.map(keyOf))].toSorted((one, other) => one! - other!);
  const meant = keys.map((key) => [
    key,
    FLOWS.filter((flow) => keyOf(flow) === key)
      .map(({ kind }) => kind)
      .toSorted(),
  ]);
  expect(told).toEqual(meant);
});
