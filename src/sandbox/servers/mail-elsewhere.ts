/** Mail hosts that nobody rented here: somebody else's, with mailboxes that can be connected. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { SandboxCore } from '../core.ts';
import type { ZoneSource } from '../zone.ts';
import { MACHINES, type HostedDomain, type Machine, type TokenVendor } from './machine.ts';
import type { MailStore } from './mail-store.ts';
import { hashPassword } from './passwords.ts';
import { readUserData } from './user-data.ts';

/** One host, the domain of its addresses, and the mailboxes that it has from now on. */
export interface MailElsewhere {
  hostName: string;
  /** Further names of it. */
  aliases?: readonly string[];
  /** Whose access tokens open its mailboxes. */
  tokensOf?: TokenVendor;
  domain: string;
  /** Those without a password are opened by tokens alone. */
  mailboxes: readonly { address: string; password?: string }[];
}

const idOf = (hostName: string) => `elsewhere-${hostName}`;

/** Makes the host, or gives it further mailboxes; true where it has to be booted. */
export async function keepMailElsewhere(
  core: SandboxCore,
  mail: MailStore,
  order: MailElsewhere,
): Promise<{ id: string; isNew: boolean }> {
  const { domain } = order;
  const id = idOf(order.hostName);
  const there = core.store.get<Machine>(MACHINES, id);
  const machine = there ?? (await machineOf(core, id, order));
  if (!machine.domains.some((hosted) => hosted.domain === domain)) {
    const domains = [...machine.domains, hostedDomain(domain)];
    core.store.put(MACHINES, id, { ...machine, domains });
  }
  for (const { address, password } of order.mailboxes) {
    const known = mail.find(id, address);
    if (known && password === undefined) continue;
    const hash = await hashPassword(password ?? randomUUID());
    if (known) mail.setPassword(known, hash);
    else mail.create(id, address, hash);
  }
  return { id, isNew: there === undefined };
}

async function machineOf(
  core: SandboxCore,
  id: string,
  { hostName, aliases = [], tokensOf }: MailElsewhere,
): Promise<Machine> {
  const { hostKey } = readUserData('');
  const { privateKeyPem: key, certificatePem: certificate } = await core.ca.issue([
    hostName,
    ...aliases,
  ]);
  return {
    id,
    hostName,
    hostKey,
    ipv4: core.hosts.allocateAddress(),
    runningAtMs: Date.now(),
    authorizedKeys: [],
    writtenFiles: [],
    bootFailed: false,
    domains: [],
    aliases: [...aliases],
    ...(tokensOf && { tokensOf }),
    certificates: [{ hostName, key, certificate, expiresAt: '2100-01-01T00:00:00Z' }],
  };
}

function hostedDomain(domain: string): HostedDomain {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const dkimPrivateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { domain, selector: 'elsewhere', dkimPrivateKey };
}

/** Names of these hosts, and of their domains' mail. */
export function zoneElsewhere({ store }: Pick<SandboxCore, 'store'>): ZoneSource {
  const known = () =>
    store.list<Machine>(MACHINES).filter(({ id, hostName }) => id === idOf(hostName ?? ''));
  const records = (name: string) =>
    known().flatMap(({ hostName, aliases = [], ipv4, domains }) => [
      ...(name === hostName || aliases.includes(name)
        ? [{ name, type: 'A' as const, value: ipv4, ttlSeconds: 300 }]
        : []),
      ...(domains.some(({ domain }) => domain === name)
        ? [{ name, type: 'MX' as const, value: hostName!, priority: 10, ttlSeconds: 300 }]
        : []),
    ]);
  return { hasName: (name) => records(name).length > 0, records };
}
