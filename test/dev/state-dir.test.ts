/** Which of Temporal's files a world keeps, and what its server is told for it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporalFile } from '../../src/dev/state-dir.ts';
import { wholeQueues, worldFlags } from '../../src/dev/temporal/temporal-server.ts';

it.each([
  ['begins with queues in one part', [], 'temporal-whole.db', false],
  ['goes on with the parts that it had', ['temporal.db'], 'temporal.db', true],
  ['goes on with queues in one part', ['temporal-whole.db'], 'temporal-whole.db', false],
  [
    'prefers these to what an older checkout has begun since',
    ['temporal-whole.db', 'temporal.db'],
    'temporal-whole.db',
    false,
  ],
])('a world %s', async (_words, files, file, isFormer) => {
  const stateDir = await mkdtemp(join(tmpdir(), 'outreach-state-dir-'));
  try {
    for (const name of files) await writeFile(join(stateDir, name), '');
    const found = temporalFile(stateDir);
    expect([basename(found.path), found.isFormer]).toEqual([file, isFormer]);
  } finally {
    await rm(stateDir, { recursive: true });
  }
});

it('only a world that was begun with parts is told nothing of them', () => {
  const ofParts = (isFormer: boolean) =>
    worldFlags(isFormer).filter((flag) => flag.includes('Partitions'));
  expect(ofParts(true)).toEqual([]);
  expect(ofParts(false)).toEqual(wholeQueues.filter((flag) => flag.includes('Partitions')));
  expect(ofParts(false)).toHaveLength(2);
});
