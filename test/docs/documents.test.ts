/** What the documents promise exists: linked files, commands, operations, codes, settings. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentSchema } from '../../src/settings/environment.ts';
import type { Vendor } from '../../src/providers/vendor.ts';
import { vendors } from '../../src/providers/vendors.ts';
import { startTestApi } from '../support/api/api.ts';
import { drills } from '../drill/drills.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { anchorsOf } from './citations.ts';
import { readDocuments, readSources, root, type Document } from './documents.ts';

const OURS = ['src', 'workflows', 'activities', 'migrations', 'clients', 'test', 'bench'];
const DEEP = { recursive: true } as const;

let documents: Document[];
let sources: string;

beforeAll(async () => {
  documents = await readDocuments();
  sources = await readSources(OURS);
});

/** Every match of `pattern` with the document that it stands in. */
const found = (pattern: RegExp) =>
  documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ path, match: match as unknown as string[] })),
  );

describe('the documents', () => {
  it('are those that a reader expects', () => {
    const paths = documents.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'README.md',
        'ARCHITECTURE.md',
        'CONTRIBUTING.md',
        'CHANGELOG.md',
        'docs/benchmarks.md',
        'docs/world.md',
      ]),
    );
  });

  it('link to files and headings that exist', () => {
    const broken = found(/\]\(([^)\s]+)\)/g).filter(({ path, match }) => {
      const target = match[1]!;
      if (/^(https?|mailto):/.test(target)) return false;
      const [file = '', heading] = target.split('#');
      const at = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, at))) return true;
      if (heading === undefined) return false;
      const text = documents.find((document) => document.path === at)?.text ?? '';
      return !anchorsOf(text).includes(heading);
    });
    expect(broken.map(({ path, match }) => `${path}: ${match[1]}`)).toEqual([]);
  });

  it('number each choice once, in order', () => {
    const { text } = documents.find(({ path }) => path === 'docs/choices.md')!;
    const numbers = [...text.matchAll(/^\| *(\d+) *\|/gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  });

  it('name files of this repository that exist', () => {
    const folders = 'src|workflows|activities|migrations|test|bench|docs';
    const named = found(new RegExp(`\`((?:${folders})/[\\w./-]+\\.\\w+)\``, 'g'));
    expect(named.length).toBeGreaterThan(5);
    const missing = named.filter(
      ({ match }) => !match[1]!.includes('NNNN') && !existsSync(join(root, match[1]!)),
    );
    expect(missing.map(({ path, match }) => `${path}: ${match[1]}`)).toEqual([]);
  });

  it('name folders of this repository that exist', () => {
    const named = found(
      /`((?:src|workflows|activities|migrations|test|bench|docs)(?:\/[\w-]+)*)`/g,
    );
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(({ match }) => !existsSync(join(root, match[1]!)));
    expect(missing.map(({ path, match }) => `${path}: ${match[1]}`)).toEqual([]);
  });

  it('name files by their names alone only where there are some', async () => {
    const folders = [...OURS, '.ci', 'docs'].map((folder) => readdir(join(root, folder), DEEP));
    const files = [...(await readdir(root)), ...(await Promise.all(folders)).flat()];
    const names = new Set(files.map((path) => basename(path)));
    const named = found(/`([\w.-]+\.(?:ts|mjs|cjs|md))`/g);
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(({ match }) => !names.has(match[1]!));
    expect(missing.map(({ path, match }) => `${path}: ${match[1]}`)).toEqual([]);
  });

  it('name npm scripts that exist', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = found(/npm run (?:-s )?([a-z][\w:-]*)/g);
    expect(named.length).toBeGreaterThan(5);
    const missing = named.filter(({ match }) => !(match[1]! in scripts));
    expect(missing.map(({ path, match }) => `${path}: ${match[1]}`)).toEqual([]);
  });

  it('name drills that exist', () => {
    const named = found(/npm run drill -- ([a-z][\w:-]*)/g);
    expect(named.length).toBeGreaterThan(5);
    const missing = named.filter(({ match }) => !Object.hasOwn(drills, match[1]!));
    expect(missing.map(({ path, match }) => `${path}: ${match[1]}`)).toEqual([]);
  });

  it('name codes and settings that the product knows', () => {
    const named = found(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g);
    const settings = [
      ...Object.keys(environmentSchema.shape),
      ...Object.values(vendors)
        .flatMap((port) => Object.values<Vendor<string, unknown>>(port))
        .flatMap((vendor) => vendor.variables),
    ];
    const unknown = named.filter(
      ({ match }) => !settings.includes(match[1]!) && !isInSources(match[1]!),
    );
    expect(unknown.map(({ path, match }) => `${path}: ${match[1]}`)).toEqual([]);
  });
});

describe('the list of areas in the README', () => {
  it('has the beginning of every path of the API, and none that begins no path', async () => {
    const listed = areasOf(documents.find(({ path }) => path === 'README.md')!.text);
    expect(listed.length).toBeGreaterThan(20);
    const paths = [...new Set([...(await mountedPaths()), ...BESIDE].map(withoutVersion))];
    const begins = (area: string, path: string) => path === area || path.startsWith(`${area}/`);
    const areas = listed.map(withoutVersion);
    expect(paths.filter((path) => !areas.some((area) => begins(area, path)))).toEqual([]);
    expect(areas.filter((area) => !paths.some((path) => begins(area, path)))).toEqual([]);
  });

  it('leads to every folder of routes', async () => {
    const readme = documents.find(({ path }) => path === 'README.md')!.text;
    const entries = await readdir(join(root, 'src/routes'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.length).toBeGreaterThan(10);
    const missing = folders.filter((name) => !readme.includes(`[${name}](src/routes/${name})`));
    expect(missing).toEqual([]);
  });
});

/** In the list, but no operations for clients: the document of the API does not list them. */
const BESIDE = ['/docs', '/openapi.json', '/llms.txt'];

/** With and without /v1 are one path. */
const withoutVersion = (path: string) => path.replace(/^\/v1\//, '/');

async function mountedPaths(): Promise<string[]> {
  const database = await createTestDatabase();
  const api = await startTestApi({ database });
  const { body } = await api.call('GET', '/openapi.json');
  await api.close();
  await database.close();
  return Object.keys(body.paths as Record<string, object>);
}

/** Some codes are put together: `NOT_FOUND` ones from the resource's name, others from a policy's. */
function isInSources(name: string): boolean {
  if (sources.includes(name)) return true;
  if (/^DUPLICATE_(SPF|DMARC)$/.test(name)) return sources.includes('`DUPLICATE_${policy}`');
  const resource = /^(\w+)_NOT_FOUND$/.exec(name)?.[1]?.toLowerCase().replaceAll('_', ' ');
  return resource !== undefined && sources.includes(`notFound('${resource}')`);
}

/** Paths in the list under "Using the API": `/v1/campaigns`, `/wallet`. */
function areasOf(readme: string): string[] {
  const list = /^- Access: [\s\S]*?(?=^## )/m.exec(readme)?.[0] ?? '';
  return [...list.matchAll(/`(\/[^`]*)`/g)].map(([, path]) => path!);
}
