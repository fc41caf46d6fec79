/** `npm run release -- --dry-run`, but the image. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../src/dev/processes/processes.ts';
import { changesOf, topChanges } from '../../src/dev/release/changelog.ts';
import { writeBill } from '../../src/dev/release/sbom.ts';
import { packClient, packTarball } from '../../src/dev/release/tarball.ts';

const run = promisify(execFile);
const EPOCH = 1_790_000_000;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outreach-release-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const packageFile = async () =>
  JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };

describe('a release', () => {
  it('has changes of its version in the changelog', async () => {
    const { version } = await packageFile();
    expect((await changesOf(root, version)).length).toBeGreaterThan(0);
  });

  it.each([
    ['another version on top', '## 0.9.0\n\n- Old.\n', 'begins with 0.9.0'],
    ['no changes', '## 1.0.0\n\n## 0.9.0\n\n- Old.\n', 'says nothing of 1.0.0'],
    ['nothing', '', 'begins with nothing'],
  ])('is refused with %s', (_name, text, words) => {
    expect(() => topChanges(`# Changelog\n\n${text}`, '1.0.0')).toThrow(words);
  });

  it('takes the lines of its own section alone', () => {
    const text =
      '# Changelog\n\n## 1.0.0\n\n- One,\n  which goes on.\n- Two.\n\n## 0.9.0\n\n- Old.\n';
    expect(topChanges(text, '1.0.0')).toEqual(['One, which goes on.', 'Two.']);
  });

  it('names what production installs, the same twice', async () => {
    const bills = [join(folder, 'one.json'), join(folder, 'two.json')];
    for (const bill of bills) await writeBill(root, bill, EPOCH);
    const [one, two] = await Promise.all(bills.map((bill) => readFile(bill, 'utf8')));
    expect(one).toBe(two);
    const { components, metadata } = JSON.parse(one!) as {
      components: { name: string; hashes?: { alg: string; content: string }[] }[];
      metadata: { timestamp: string };
    };
    expect(metadata.timestamp).toBe(new Date(EPOCH * 1_000).toISOString());
    const { dependencies, devDependencies } = await packageFile();
    const named = new Set(components.map(({ name }) => name));
    expect(Object.keys(dependencies).filter((name) => !named.has(name))).toEqual([]);
    const both = Object.keys(devDependencies).filter((name) => named.has(name));
    expect(both).not.toContain('vitest');
    for (const { hashes = [] } of components) {
      expect(hashes.map(({ alg, content }) => [alg, content.length])).toEqual([['SHA-512', 128]]);
    }
  });

  it('packs what was built, no sources, the same twice', async () => {
    const checkout = join(folder, 'checkout');
    await mkdir(join(checkout, 'dist/src/cli'), { recursive: true });
    for (const name of ['package.json', 'CHANGELOG.md', 'README.md', 'LICENSE']) {
      await cp(join(root, name), join(checkout, name));
    }
    await expect(packTarball(checkout, folder)).rejects.toThrow('npm run build');
    await writeFile(join(checkout, 'dist/src/cli/outreach.js'), '#!/usr/bin/env node\n');
    await writeFile(join(checkout, 'dist/src/cli/outreach.js.map'), '{}');
    await writeFile(join(checkout, '.env'), 'JWT_SECRET=secret\n');
    const one = await packTarball(checkout, folder);
    const { stdout } = await run('tar', ['-tf', one.file]);
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'package/CHANGELOG.md',
      'package/LICENSE',
      'package/README.md',
      'package/dist/src/cli/outreach.js',
      'package/package.json',
    ]);
    const two = await packTarball(checkout, folder);
    expect(two.integrity).toBe(one.integrity);
  });

  it('packs the client of the API: compiled, with its types, the same twice', async () => {
    const one = await packClient(root, folder);
    const { stdout } = await run('tar', ['-tf', one.file]);
    const files = stdout.trim().split('\n');
    expect(files).toEqual(
      expect.arrayContaining(
        ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/api.d.ts'].map(
          (name) => `package/${name}`,
        ),
      ),
    );
    expect(files.filter((name) => /src|\.map$/.test(name))).toEqual([]);
    const two = await packClient(root, folder);
    expect(two.integrity).toBe(one.integrity);
  });
});
