/** The import table of ARCHITECTURE.md holds, and the check of it can fail. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkImports, importsOf } from './support/sources/import-check.ts';
import { findCircles } from './support/sources/import-circles.ts';
import { importTable } from './support/sources/import-table.ts';
import {
  circlesOfRooms,
  layersOfNouns,
  nounTable,
  roomImports,
  strangers,
} from './support/sources/noun-table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const MAX_LINES = 250;

describe('the import table', () => {
  it('is kept by every source file', async () => {
    const files = await readSources(['src', 'workflows', 'activities', 'migrations', 'clients']);
    expect(files.length).toBeGreaterThan(100);
    expect(checkImports(files, importTable)).toEqual([]);
  });

  it.each([
    ['src/domain/money.ts', `import { sql } from 'kysely';`, 'the package kysely'],
    ['src/domain/money.ts', `import { readFile } from 'node:fs';`, 'the package node:fs'],
    ['src/domain/money.ts', `import { x } from '../db/ledger.ts';`, 'src/db/ledger.ts'],
    ['src/db/wallets.ts', `import { x } from '../services/wallet.ts';`, 'src/services/wallet.ts'],
    ['src/db/wallets.ts', `import up from '../../migrations/index.ts';`, 'migrations/index.ts'],
    ['src/providers/vps/a.ts', `import { x } from '../../db/servers.ts';`, 'src/db/servers.ts'],
    [
      'src/providers/vps/a.ts',
      `import type { Registrar } from '../registrars/port.ts';`,
      'src/providers/registrars/port.ts',
    ],
    ['src/providers/vps/a.ts', `import { Client } from 'pg';`, 'the package pg'],
    ['src/providers/vendors.ts', `import { x } from './vps/hetzner.ts';`, 'vps/hetzner.ts'],
    [
      'src/sandbox/control-api.ts',
      `import { x } from '../providers/network.ts';`,
      'providers/network.ts',
    ],
    ['src/sandbox/control-api.ts', `import type { x } from '../db/tables.ts';`, 'src/db/tables.ts'],
    ['workflows/contracts/a.ts', `import { x } from '../saga.ts';`, 'workflows/saga.ts'],
    [
      'workflows/contracts/a.ts',
      `import { defineSignal, sleep } from '@temporalio/workflow';`,
      'may not import sleep from @temporalio/workflow',
    ],
    [
      'workflows/a.ts',
      `import { createActivities } from '../activities/index.ts';`,
      'may import activities/index.ts by "import type" only',
    ],
    [
      'workflows/a.ts',
      // Kept at run time as `import {}`: it is no type import.
      `import { type Activities } from '../activities/index.ts';`,
      'may import activities/index.ts by "import type" only',
    ],
    ['workflows/a.ts', `import type { x } from '../src/db/tables.ts';`, 'src/db/tables.ts'],
    ['workflows/a.ts', `import { createHash } from 'node:crypto';`, 'the package node:crypto'],
    [
      'activities/a.ts',
      `import { createContext } from '../src/context.ts';`,
      'may import src/context.ts by "import type" only',
    ],
    ['activities/a.ts', `import { x } from '../src/services/wallet.ts';`, 'services/wallet.ts'],
    ['activities/a.ts', `import { request } from 'undici';`, 'the package undici'],
    ['src/services/a.ts', `import { x } from '../routes/wallet.ts';`, 'src/routes/wallet.ts'],
    ['src/services/a.ts', `import { x } from '../providers/vps/hetzner.ts';`, 'vps/hetzner.ts'],
    ['src/services/a.ts', `import { x } from '../../workflows/saga.ts';`, 'workflows/saga.ts'],
    ['src/http/a.ts', `import { x } from '../db/accounts.ts';`, 'src/db/accounts.ts'],
    ['src/http/a.ts', `import { x } from '../routes/wallet.ts';`, 'src/routes/wallet.ts'],
    ['src/routes/a.ts', `export * from '../db/accounts.ts';`, 'src/db/accounts.ts'],
    ['src/routes/a.ts', `const { x } = await import('../db/wallets.ts');`, 'src/db/wallets.ts'],
    ['src/routes/a.ts', `import '../providers/vendors.ts';`, 'src/providers/vendors.ts'],
    ['src/routes/a.ts', `import { Client } from '@temporalio/client';`, '@temporalio/client'],
    ['migrations/0009-a.ts', `import { x } from '../src/db/tables.ts';`, 'src/db/tables.ts'],
    ['migrations/0009-a.ts', `import { Client } from 'pg';`, 'the package pg'],
    ['src/worker.ts', `import { startSandbox } from './sandbox/sandbox.ts';`, 'sandbox/sandbox.ts'],
    ['src/api.ts', `import { devEnvironment } from './dev/environment.ts';`, 'dev/environment.ts'],
    ['src/encryption/a.ts', `import { readConfig } from '../config.ts';`, 'src/config.ts'],
    ['src/settings/a.ts', `import { Client } from 'pg';`, 'the package pg'],
    ['src/services/a.ts', `const url = process.env['DATABASE_URL'];`, 'reads process.env'],
    ['src/somewhere-new/a.ts', ``, 'no row of the import table governs'],
  ])('refuses %s: %s', (path, text, breach) => {
    const breaches = checkImports([{ path, text }], importTable);
    expect(breaches).toHaveLength(1);
    expect(breaches[0]).toContain(`${path}: `);
    expect(breaches[0]).toContain(breach);
  });

  it('lets no folder grow past what a reader takes in: thirty files', async () => {
    const files = await readSources(['src', 'workflows', 'activities', 'test/support']);
    const counts = new Map<string, number>();
    for (const { path } of files) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 30)).toEqual([]);
  });

  it('lets no file have more than 250 lines', async () => {
    const files = [
      ...(await readSources(['src', 'workflows', 'activities'])),
      ...(await readSources(['clients'])).filter(({ text }) => !text.startsWith('/** Generated')),
      ...(await readSources(['src'], /\.sh$/)),
    ];
    expect(files.filter(({ path }) => path.endsWith('.sh'))).not.toEqual([]);
    const long = files
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('keeps the entry points alone in src: what else there is has a room', async () => {
    const entries = await readdir(join(root, 'src'), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['api.ts', 'config.ts', 'context.ts', 'worker.ts']);
  });

  it('lets no files import each other in a circle, not even for types', async () => {
    const files = await readSources(['src', 'workflows', 'activities', 'clients']);
    const circles = findCircles(files);
    expect(circles).toEqual([]);
  });

  it('sees a circle, whatever it is made of', () => {
    const file = (path: string, text: string) => ({ path, text });
    const circle = [
      file('src/a.ts', `import type { B } from './rooms/b.ts';`),
      file('src/rooms/b.ts', `export { c } from './c.ts';`),
      file('src/rooms/c.ts', `const a = await import('../a.ts');`),
    ];
    const beside = [
      file('src/d.ts', `import { b } from './rooms/b.ts';\nimport { e } from './e.ts';`),
      file('src/e.ts', `// import { d } from './d.ts';\nimport { Client } from 'pg';`),
      file('src/f.ts', `export type F = import('./f.ts').F;`),
    ];
    expect(findCircles([...beside, ...circle])).toEqual([
      ['src/a.ts', 'src/rooms/b.ts', 'src/rooms/c.ts'],
      ['src/f.ts'],
    ]);
    expect(findCircles(beside.slice(0, 2))).toEqual([]);
  });

  it('reads imports in every form, and none out of comments', () => {
    const code = [
      `import a, { b as c, type D } from 'one';`,
      `import type {\n  E,\n  F,\n} from 'two';`,
      `export { G } from 'three';`,
      `export * as h from 'four';`,
      `import 'five';`,
      `const i = await import('six');`,
      `const j = k as import('seven').L;`,
    ].join('\n');
    expect(importsOf(code)).toEqual([
      { specifier: 'one', isType: false, names: ['b', 'D'] },
      { specifier: 'two', isType: true, names: ['E', 'F'] },
      { specifier: 'three', isType: false, names: ['G'] },
      { specifier: 'four', isType: false, names: [] },
      { specifier: 'five', isType: false, names: [] },
      { specifier: 'six', isType: false, names: [] },
      { specifier: 'seven', isType: true, names: [] },
    ]);
    const commented = `// import { x } from 'pg';\n/* import 'pg'; process.env */`;
    expect(checkImports([{ path: 'src/domain/a.ts', text: commented }], importTable)).toEqual([]);
  });
});

describe('the rooms of nouns', () => {
  it('are entered from their own noun, or by a name in the table', async () => {
    const files = await readSources([...layersOfNouns]);
    expect(strangers(files, nounTable)).toEqual([]);
    // What nobody uses any more is no rule.
    const used = new Set(
      [...roomImports(files)].map(({ from, to }) => `${from.noun} > ${to.noun}`),
    );
    const named = Object.entries(nounTable).flatMap(([noun, others]) =>
      others.map((other) => `${noun} > ${other}`),
    );
    expect(named.filter((pair) => !used.has(pair))).toEqual([]);
  });

  it('are no circles among queries', async () => {
    expect(circlesOfRooms(await readSources(['src/db']), 'src/db')).toEqual([]);
  });

  it('would be told of a stranger, and of a circle', () => {
    const files = [
      { path: 'src/services/wallet/a.ts', text: `import { x } from '../../db/inbox/b.ts';` },
      { path: 'src/db/a/a.ts', text: `import type { x } from '../b/b.ts';` },
      { path: 'src/db/b/b.ts', text: `import { y } from '../a/a.ts';` },
    ];
    expect(strangers(files, nounTable)).toEqual([
      'src/services/wallet/a.ts enters src/db/inbox/b.ts',
    ]);
    expect(circlesOfRooms(files, 'src/db')).toEqual(['a > b > a', 'b > a > b']);
  });
});

async function readSources(folders: string[], ending = /\.m?ts$/) {
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      return names.filter((name) => ending.test(name)).map((name) => `${folder}/${name}`);
    }),
  );
  return Promise.all(
    paths
      .flat()
      // Declarations for packages without types import nothing at run time.
      .filter((path) => !/\.d\.m?ts$/.test(path))
      .map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
  );
}
