/** pebble as the world's certificate authority: its settings, its name, and the trust in it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { SandboxCore } from '../core.ts';
import type { ZoneSource } from '../zone.ts';
import { ACME_MANAGEMENT_PORT, ACME_NAME, ACME_PORT, ROUTER } from './addresses.ts';
import type { Lab } from './lab.ts';

const ROOTS = 'acme-roots';
/** pebble makes a new root at each start; certificates of earlier ones may still be in use. */
const MAX_ROOTS = 20;
const START_LIMIT_MS = 30_000;
const END = '-----END CERTIFICATE-----\n';

/** Writes pebble's settings and the certificate of its own address; answers the file's path. */
export async function writePebbleConfig(core: SandboxCore, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { certificatePem, privateKeyPem } = await core.ca.issue([ACME_NAME]);
  const [certificate, privateKey] = [join(folder, 'acme.pem'), join(folder, 'acme-key.pem')];
  writeFileSync(certificate, certificatePem);
  writeFileSync(privateKey, privateKeyPem, { mode: 0o600 });
  const file = join(folder, 'pebble.json');
  const pebble = {
    listenAddress: `0.0.0.0:${ACME_PORT}`,
    managementListenAddress: `0.0.0.0:${ACME_MANAGEMENT_PORT}`,
    certificate,
    privateKey,
    httpPort: 80,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  };
  writeFileSync(file, JSON.stringify({ pebble }));
  return file;
}

export function acmeZone(): ZoneSource {
  const hasName = (name: string) => name === ACME_NAME;
  return {
    hasName,
    records: (name) => (hasName(name) ? [{ name, type: 'A', value: ROUTER, ttlSeconds: 300 }] : []),
  };
}

/** Adds the root of the running pebble to the world's `ca.pem`, after the world's own authority. */
export async function trustPebble(core: SandboxCore, lab: Lab): Promise<void> {
  const root = await untilKnown(core, lab);
  const known = core.store.get<{ roots: string[] }>(ROOTS, 'pebble')?.roots ?? [];
  const roots = [...known.filter((each) => each !== root), root].slice(-MAX_ROOTS);
  core.store.put(ROOTS, 'pebble', { roots });
  const own = authorityPem(core);
  writeFileSync(core.ca.caFile, [own, ...roots].join(''));
}

/** The world's own authority, the first certificate of `ca.pem`. */
export function authorityPem(core: SandboxCore): string {
  const [first = ''] = readFileSync(core.ca.caFile, 'utf8').split(END.trim());
  return `${first}${END}`;
}

/** pebble creates its keys before it listens. */
async function untilKnown(core: SandboxCore, lab: Lab): Promise<string> {
  for (const endsAt = Date.now() + START_LIMIT_MS; ; await sleep(200)) {
    try {
      return await askRoot(core, lab);
    } catch (error) {
      if (Date.now() > endsAt) throw error;
    }
  }
}

/** `GET /roots/0` of pebble's management API. */
async function askRoot(core: SandboxCore, lab: Lab): Promise<string> {
  const socket = await lab.dial(ROUTER, ACME_MANAGEMENT_PORT);
  const secure = connect({ socket, ca: authorityPem(core), servername: ACME_NAME });
  secure.write(`GET /roots/0 HTTP/1.0\r\nHost: ${ACME_NAME}\r\n\r\n`);
  let answer = '';
  for await (const chunk of secure) answer += String(chunk);
  const root = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(answer)?.[0];
  if (root === undefined) throw new Error('pebble does not tell its root certificate');
  return `${root.trim()}\n`;
}
