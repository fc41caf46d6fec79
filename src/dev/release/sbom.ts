/**
 * What is inside: a CycloneDX bill of all packages that production installs, from the lock file. `npm sbom` leaves
 * out packages that something for development needs as well, and makes another file each time.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Lock {
  name: string;
  version: string;
  packages: Record<
    string,
    { version: string; integrity?: string; license?: string; dev?: boolean; link?: boolean }
  >;
}

interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
  licenses?: { expression: string }[];
}

/** Writes it to `file`; answers how many packages it names. `epoch` is the time of the release, in seconds. */
export async function writeBill(root: string, file: string, epoch: number): Promise<number> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const components = componentsOf(lock);
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber([components, epoch]),
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1_000).toISOString(),
      component: { type: 'application', name: lock.name, version: lock.version },
    },
    components,
  };
  await writeFile(file, `${JSON.stringify(bill, null, 2)}\n`);
  return components.length;
}

/** One for each package and version, however often it is installed. */
function componentsOf({ packages }: Lock): Component[] {
  const found = new Map<string, Component>();
  for (const [path, { version, integrity, license, dev, link }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1)!;
    if (path === '' || dev || link) continue;
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    found.set(purl, {
      type: 'library',
      'bom-ref': purl,
      name,
      version,
      purl,
      ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
      ...(license !== undefined && { licenses: [{ expression: license }] }),
    });
  }
  return [...found.values()].toSorted((one, other) => (one.purl < other.purl ? -1 : 1));
}

/** `sha512-<base64>` as the bill has it. */
function hashOf(integrity: string) {
  const [, alg = '', digest = ''] = /^sha(\d+)-(\S+)/.exec(integrity) ?? [];
  const content = Buffer.from(digest, 'base64').toString('hex');
  return { alg: alg === '1' ? 'SHA-1' : `SHA-${alg}`, content };
}

/** The same for the same contents. */
function serialNumber(contents: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(contents)).digest('hex');
  const groups = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest)!;
  const [, first, second, third, fourth, last] = groups;
  return `urn:uuid:${first}-${second}-8${third}-8${fourth}-${last}`;
}
