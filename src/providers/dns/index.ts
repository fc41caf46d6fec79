/** DNS look-ups by Node's resolver, asking the servers of `DNS_SERVERS`. */
import type { CaaRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { CaaProperty } from '../../domain/domains/caa-value.ts';
import { ProviderError } from '../../domain/errors.ts';
import type { DnsResolver } from './port.ts';

const PROVIDER = 'dns';

/** How often an unanswered query is sent to each server. */
const TRIES = 2;

/** The name or the type is not there, which is an answer. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** `servers` are `ip` or `ip:port`; none means those of the system. Throws only `unavailable`. */
export function createDnsResolver(input: {
  servers: readonly string[];
  timeoutMs: number;
}): DnsResolver {
  const resolver = new Resolver({ timeout: Math.ceil(input.timeoutMs / TRIES), tries: TRIES });
  if (input.servers.length > 0) resolver.setServers(input.servers);
  return {
    resolveA: (name) => orNothing(name, () => resolver.resolve4(name)),
    resolveAaaa: (name) => orNothing(name, () => resolver.resolve6(name)),
    resolveCname: (name) =>
      orNothing(name, async () => (await resolver.resolveCname(name)).map(withoutDot)),
    // Node 24 adds a `type`.
    resolveMx: (name) =>
      orNothing(name, async () =>
        (await resolver.resolveMx(name)).map(({ exchange, priority }) => ({ exchange, priority })),
      ),
    resolveNs: (name) =>
      orNothing(name, async () => (await resolver.resolveNs(name)).map(withoutDot)),
    resolveTxt: (name) =>
      orNothing(name, async () =>
        (await resolver.resolveTxt(name)).map((strings) => strings.join('')),
      ),
    resolveCaa: (name) =>
      orNothing(name, async () => (await resolver.resolveCaa(name)).map(propertyOf)),
    resolvePtr: (ipv4) =>
      orNothing(ipv4, async () => (await resolver.reverse(ipv4)).map(withoutDot)),
  };
}

const withoutDot = (host: string): string => host.replace(/\.$/, '');

/** Node has the tag as a key of its own beside `critical`, which is the whole byte of flags. */
function propertyOf({ critical, ...named }: CaaRecord): CaaProperty {
  const { type: _type, ...properties } = named as Record<string, string>;
  const [[tag, value] = ['', '']] = Object.entries(properties);
  return { flags: critical, tag, value };
}

async function orNothing<T>(name: string, ask: () => Promise<T[]>): Promise<T[]> {
  try {
    return await ask();
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'unknown';
    if (ABSENT.has(code)) return [];
    throw new ProviderError('unavailable', `${PROVIDER}: no answer about ${name} (${code})`, {
      provider: PROVIDER,
      providerCode: code,
      operatorHint: 'Check that the resolvers in DNS_SERVERS answer.',
    });
  }
}
