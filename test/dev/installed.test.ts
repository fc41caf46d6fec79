import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled, supportsNode } from '../../src/dev/installed.mjs';

describe('isInstalled', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'outreach-lock-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  type Packages = Record<string, { version: string; optional?: boolean }>;
  const write = async (lock: Packages, installed?: Packages) => {
    const self = { '': { version: '0.1.0' } };
    await writeFile(
      join(root, 'package-lock.json'),
      JSON.stringify({ packages: { ...self, ...lock } }),
    );
    if (!installed) return;
    await mkdir(join(root, 'node_modules'), { recursive: true });
    const file = join(root, 'node_modules', '.package-lock.json');
    await writeFile(file, JSON.stringify({ packages: installed }));
  };

  const wanted = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a-darwin': { version: '1.0.0', optional: true },
  };

  it('is false on a fresh clone', async () => {
    await write(wanted);
    expect(isInstalled(root)).toBe(false);
  });

  it('is true when all but other platforms is there', async () => {
    await write(wanted, { 'node_modules/a': { version: '1.0.0' } });
    expect(isInstalled(root)).toBe(true);
  });

  it('is false when a version differs or a package is missing', async () => {
    await write(wanted, { 'node_modules/a': { version: '0.9.0' } });
    expect(isInstalled(root)).toBe(false);
    await write({ ...wanted, 'node_modules/b': { version: '1.0.0' } }, wanted);
    expect(isInstalled(root)).toBe(false);
  });

  it('says so when there is no lock file', () => {
    expect(() => isInstalled(root)).toThrow('package-lock.json is missing');
  });
});

describe('supportsNode', () => {
  it.each(['20.20.0', '20.21.4', '22.18.0', '24.0.0', '26.1.0'])('takes %s', (version) => {
    expect(supportsNode(version)).toBe(true);
  });
  it.each(['18.20.0', '20.19.9', '21.7.0', '22.17.1', '23.11.0'])('refuses %s', (version) => {
    expect(supportsNode(version)).toBe(false);
  });
});
