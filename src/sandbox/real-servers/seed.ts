/** What a vendor puts on the disk of a new server: the NoCloud source that cloud-init reads. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ROUTER, WORLD_PREFIX } from './addresses.ts';

export interface Seed {
  id: string;
  ipv4: string;
  authorizedKeys: readonly string[];
  /** Exactly what the server was ordered with. */
  userData: string;
  /** PEM of the world's authority, which makes pebble's own address trusted. */
  authorityPem: string;
}

/** Writes into the upper layer of the server's disk; harmless to repeat. */
export function writeSeed(upperDir: string, seed: Seed): void {
  const folder = join(upperDir, 'var/lib/cloud/seed/nocloud');
  makeFolders(upperDir, ['etc', 'var/lib/cloud/seed/nocloud']);
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  write('user-data', seed.userData);
  write('meta-data', metaData(seed));
  write('vendor-data', vendorData(seed));
  write('network-config', networkConfig(seed));
  const resolver = join(upperDir, 'etc/resolv.conf');
  writeFileSync(resolver, `nameserver ${ROUTER}\n`);
  chmodSync(resolver, 0o644);
}

/**
 * Folders of the upper layer override the mode of those in the image, so our own umask must not matter.
 */
function makeFolders(upperDir: string, paths: string[]): void {
  for (const path of paths) {
    let folder = upperDir;
    for (const name of ['', ...path.split('/')]) {
      folder = join(folder, name);
      if (existsSync(folder)) continue;
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o755);
    }
  }
}

const metaData = ({ id, authorizedKeys }: Seed): string =>
  stringify({ 'instance-id': id, 'local-hostname': id, 'public-keys': authorizedKeys });

/** A vendor's own settings, merged below the user-data: they replace nothing in it. */
const vendorData = ({ authorityPem }: Seed): string =>
  `#cloud-config\n${stringify({ ca_certs: { trusted: [authorityPem] } })}`;

const networkConfig = ({ ipv4 }: Seed): string =>
  stringify({
    version: 1,
    config: [
      {
        type: 'physical',
        name: 'host0',
        // No router advertises itself: without this each boot waits 12 s for one.
        'accept-ra': false,
        // All of the world is on this link: the router answers for all other addresses.
        subnets: [
          { type: 'static', address: `${ipv4}/${WORLD_PREFIX}`, dns_nameservers: [ROUTER] },
        ],
      },
    ],
  });
