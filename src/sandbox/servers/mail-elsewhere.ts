/** Mail hosts that nobody rented here: somebody else's, with mailboxes that can be connected. */
import { generateKeyPairSync } from 'node:crypto';
import type { SandboxCore } from '../core.ts';
import type { ZoneSource } from '../zone.ts';
import { MACHINES, type Machine } from './machine.ts';
import type { MailStore } from './mail-store.ts';
import { hashPassword } from './passwords.ts';
import { readUserData } from './user-data.ts';

/** One host, the domain of its addresses, and the mailboxes that it has from now on. */
export interface MailElsewhere {
  hostName: string;
  domain: string;
  mailboxes: readonly { address: string; password: string }[];
}

const idOf = (hostName: string) => `elsewhere-${hostName}`;

/** Makes the host, or gives it further mailboxes; true where it has to be booted. */
export async function keepMailElsewhere(
  core: SandboxCore,
  mail: MailStore,
  { hostName, domain, mailboxes }: MailElsewhere,
): Promise<{ id: string; isNew: boolean }> {
  const id = idOf(hostName);
  const isNew = core.store.get<Machine>(MACHINES, id) === undefined;
  if (isNew) core.store.put(MACHINES, id, await machineOf(core, { id, hostName, domain }));
  for (const { address, password } of mailboxes) {
    const hash = await hashPassword(password);
    const known = mail.find(id, address);
    if (known) mail.setPassword(known, hash);
    else mail.create(id, address, hash);
  }
  return { id, isNew };
}

async function machineOf(
  core: SandboxCore,
  { id, hostName, domain }: { id: string; hostName: string; domain: string },
): Promise<Machine> {
  const { hostKey } = readUserData('');
  const { privateKeyPem: key, certificatePem: certificate } = await core.ca.issue([hostName]);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const dkimPrivateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    id,
    hostName,
    hostKey,
    ipv4: core.hosts.allocateAddress(),
    runningAtMs: Date.now(),
    authorizedKeys: [],
    writtenFiles: [],
    bootFailed: false,
    domains: [{ domain, selector: 'elsewhere', dkimPrivateKey }],
    certificates: [{ hostName, key, certificate, expiresAt: '2100-01-01T00:00:00Z' }],
  };
}

/** Names of these hosts, and of their domains' mail. */
export function zoneElsewhere({ store }: Pick<SandboxCore, 'store'>): ZoneSource {
  const known = () =>
    store.list<Machine>(MACHINES).filter(({ id, hostName }) => id === idOf(hostName ?? ''));
  const records = (name: string) =>
    known().flatMap(({ hostName, ipv4, domains }) => [
      ...(name === hostName ? [{ name, type: 'A' as const, value: ipv4, ttlSeconds: 300 }] : []),
      ...(name === domains[0]?.domain
        ? [{ name, type: 'MX' as const, value: hostName!, priority: 10, ttlSeconds: 300 }]
        : []),
    ]);
  return { hasName: (name) => records(name).length > 0, records };
}
