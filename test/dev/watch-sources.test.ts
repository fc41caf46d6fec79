/** Which changes of source files are told, and which processes they are part of. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processesOf, SOURCE_FOLDERS } from '../../src/dev/processes/source-processes.ts';
import { watchSources, type SourceWatch } from '../../src/dev/processes/watch-sources.ts';

describe('watchSources', () => {
  let root: string;
  let watching: SourceWatch;
  let told: string[];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'outreach-watch-'));
    await mkdir(join(root, 'src/db'), { recursive: true });
    await writeFile(join(root, 'src/db/leads.ts'), '1');
    told = [];
    watching = watchSources(root, ['src'], (paths) => told.push(...paths));
  });
  afterEach(async () => {
    watching.close();
    await rm(root, { recursive: true, force: true });
  });

  const write = (path: string) => writeFile(join(root, path), String(Math.random()));

  it('tells of a file that is written, replaced again and again, or removed', async () => {
    await write('src/db/leads.ts');
    await expect.poll(() => told).toContain('src/db/leads.ts');
    for (let time = 0; time < 3; time += 1) {
      told = [];
      await write('src/db/leads.ts~');
      await rename(join(root, 'src/db/leads.ts~'), join(root, 'src/db/leads.ts'));
      await expect.poll(() => told).toContain('src/db/leads.ts');
    }
    told = [];
    await rm(join(root, 'src/db/leads.ts'));
    await expect.poll(() => told).toContain('src/db/leads.ts');
  });

  it('follows folders that are made, and forgets those that are gone', async () => {
    await mkdir(join(root, 'src/inbox'));
    await write('src/inbox/threads.ts');
    await expect.poll(() => told).toContain('src/inbox/threads.ts');
    await rm(join(root, 'src/inbox'), { recursive: true });
    await mkdir(join(root, 'src/inbox'));
    await write('src/inbox/labels.ts');
    await expect.poll(() => told).toContain('src/inbox/labels.ts');
    told = [];
    await write('src/inbox/labels.ts');
    await expect.poll(() => told).toContain('src/inbox/labels.ts');
  });

  it('tells of what was in a folder before it is seen, also in folders of it', async () => {
    // All of it is there before its first event is read.
    mkdirSync(join(root, 'src/inbox/sync'), { recursive: true });
    writeFileSync(join(root, 'src/inbox/threads.ts'), '1');
    writeFileSync(join(root, 'src/inbox/sync/state.ts'), '1');
    await expect
      .poll(() => told)
      .toEqual(expect.arrayContaining(['src/inbox/threads.ts', 'src/inbox/sync/state.ts']));
    expect(told).not.toContain('src/db/leads.ts');
  });

  it('tells of many files at once, and of nothing but sources', async () => {
    const calls: string[][] = [];
    watching.close();
    watching = watchSources(root, ['src'], (paths) => calls.push(paths));
    // At once: no event is read between them.
    for (const name of ['db/.leads.ts.swp', 'db/notes.txt', 'a.ts', 'db/b.mts']) {
      writeFileSync(join(root, 'src', name), '1');
    }
    await vi.waitFor(() => expect(calls).not.toEqual([]), 30_000);
    expect(calls.map((paths) => paths.toSorted())).toEqual([['src/a.ts', 'src/db/b.mts']]);
  });
});

describe('processesOf', () => {
  it.each([
    ['src/db/leads/leads.ts', ['api', 'worker']],
    ['src/worker.ts', ['api', 'worker']],
    ['workflows/contracts/campaign.ts', ['api', 'worker']],
    ['workflows/campaigns/run-campaign.ts', ['worker']],
    ['activities/campaigns/index.ts', ['worker']],
    ['src/sandbox/main.ts', ['sandbox']],
    ['src/dev/world.ts', []],
    ['migrations/index.ts', []],
  ])('%s belongs to %j', (path, names) => {
    expect(processesOf(path)).toEqual(names);
  });

  it('knows folders that exist', () => {
    expect(SOURCE_FOLDERS.filter((folder) => !existsSync(folder))).toEqual([]);
  });
});
