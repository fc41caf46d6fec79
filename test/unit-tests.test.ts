/** `npm run test:unit` stays what it promises: no Postgres, no Temporal, and nothing left out that has neither. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importsOf } from './support/sources/import-check.ts';
import { unitFolders } from './support/run/test-projects.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(posix.join(root, path), 'utf8');

/** Who imports one of these at run time wants a server. */
const SERVERS = [
  'pg',
  '@temporalio/client',
  '@temporalio/testing',
  'src/dev/postgres/embedded-postgres.ts',
  'src/dev/world.ts',
  'src/dev/temporal/temporal-server.ts',
];

describe.each(Object.entries(unitFolders))('the unit tests of %s', (folder, others) => {
  const files = readdirSync(posix.join(root, folder)).filter((name) => name.endsWith('.test.ts'));
  const path = (name: string) => `${folder}/${name}.test.ts`;

  it('start neither Postgres nor Temporal, nor do the helpers that they import', () => {
    const units = files
      .map((name) => name.slice(0, -'.test.ts'.length))
      .filter((name) => ![...others.withServers, ...others.long].includes(name));
    expect(units.length).toBeGreaterThan(1);
    expect(units.flatMap((name) => serversOf(path(name)))).toEqual([]);
  });

  it('leave out by name only files that exist, and that need a server or have said that they are long', () => {
    const named = [...others.withServers, ...others.long];
    expect(named.filter((name) => !files.includes(`${name}.test.ts`))).toEqual([]);
    expect(others.withServers.filter((name) => serversOf(path(name)).length === 0)).toEqual([]);
  });
});

it('a helper that wants a server is found behind another', () => {
  expect(serversOf('test/spec.test.ts')).toContainEqual(
    expect.stringMatching(/^test\/spec\.test\.ts > .*\/database\.ts > pg$/),
  );
});

/** Each way from a test file over helpers to a server. Product code is not followed: it starts none. */
function serversOf(path: string, way = path, seen = new Set<string>()): string[] {
  return importsOf(statementsOf(read(path))).flatMap(({ specifier, isType }) => {
    if (isType) return [];
    const target = specifier.startsWith('.')
      ? posix.join(posix.dirname(path), specifier)
      : specifier;
    if (SERVERS.includes(target)) return [`${way} > ${target}`];
    if (!target.startsWith('test/') || !target.endsWith('.ts') || seen.has(target)) return [];
    seen.add(target);
    return serversOf(target, `${way} > ${target}`, seen);
  });
}

/** Those that begin a line: the texts that a test is about may hold imports as well. */
const statementsOf = (code: string): string =>
  [...code.matchAll(/^(?:import|export) [^;]+;/gm)].map(([statement]) => statement).join('\n');
