/** Mail exchangers for verification: `<behaviour>.mxlab.test`, each with its own behaviour. */
import type { SandboxCore, StandIn } from '../core.ts';
import { openListener, type Listener } from '../servers/listener.ts';
import type { ZoneRecord, ZoneSource } from '../zone.ts';
import { labScripts, type Acquaintance } from './scripts.ts';
import { labServer, newNotes } from './server.ts';

const SUFFIX = '.mxlab.test';

/** Providers of real addresses, which accept mail in the world, too. */
const LARGE_PROVIDERS = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com icloud.com me.com aol.com ' +
    'gmx.de gmx.net web.de t-online.de orange.fr free.fr laposte.net libero.it mail.ru yandex.ru'
  ).split(' '),
);

/** Domains that refuse mail in DNS, and those whose exchanger does not exist. */
const WITHOUT_SERVER = ['null-mx', 'no-mx', 'nowhere', 'dangling', 'private'];

/** Whether the lab, and not the world's exchangers, answers for this domain. */
export const isLabDomain = (domain: string): boolean =>
  domain.endsWith(SUFFIX) || LARGE_PROVIDERS.has(domain);

export function createMxLab(core: SandboxCore): StandIn {
  const scripts = labScripts(acquaintance(core));
  const addresses = addressBook(core);
  const notes = newNotes();
  core.zone.addSource(labZone(new Set(Object.keys(scripts)), addresses));
  const listeners: Listener[] = [];
  return {
    name: 'mx-lab',
    vendorRecords: () => ({ mxLab: { ...notes } }),
    async start() {
      for (const [name, script] of Object.entries(scripts)) {
        const listener = await openListener(labServer(core, { name, script }, notes));
        listeners.push(listener);
        core.hosts.register(addresses(name), 25, listener.port);
      }
    },
    async close() {
      await Promise.all(listeners.map((listener) => listener.close()));
    },
  };
}

/** One address for each server, the same after a restart. */
function addressBook(core: SandboxCore): (name: string) => string {
  return (name) => {
    const known = core.store.get<{ ipv4: string }>('mx-lab', name)?.ipv4;
    if (known !== undefined) return known;
    const ipv4 = core.hosts.allocateAddress();
    core.store.put('mx-lab', name, { ipv4 });
    return ipv4;
  };
}

/** In memory: real greylists forget, too. World time. */
function acquaintance(core: SandboxCore): Acquaintance {
  const pairs = new Map<string, { tries: number; firstAtMs: number }>();
  return (pair) => {
    const known = pairs.get(pair) ?? { tries: 0, firstAtMs: Date.now() };
    known.tries += 1;
    pairs.set(pair, known);
    return { tries: known.tries, sinceFirstMs: (Date.now() - known.firstAtMs) * core.options.pace };
  };
}

/**
 * `greylist.mxlab.test`, `greylist-7.mxlab.test` and so on have `mx.greylist-mxlab.test`: a registrable
 * domain for each server, since each stands for a separate provider. `tenants-7.mxlab.test` has the
 * exchanger `tenants-7.tenants-mxlab.test`, as tenants of one provider have.
 */
function labZone(servers: ReadonlySet<string>, addressOf: (name: string) => string): ZoneSource {
  const behaviourOf = (domain: string): string | undefined => {
    if (LARGE_PROVIDERS.has(domain)) return 'large';
    if (!domain.endsWith(SUFFIX)) return undefined;
    const label = domain.slice(0, -SUFFIX.length).replace(/-\d+$/, '');
    return servers.has(label) || WITHOUT_SERVER.includes(label) ? label : undefined;
  };
  const records = (name: string): ZoneRecord[] => {
    const ttlSeconds = 300;
    const host = /^[a-z0-9-]+\.([a-z0-9-]+)-mxlab\.test$/.exec(name)?.[1];
    if (host !== undefined) return hostRecords(name, host, servers, addressOf);
    const behaviour = behaviourOf(name);
    const mx = (value: string, priority = 10): ZoneRecord =>
      ({ name, type: 'MX', value, priority, ttlSeconds }) as const;
    switch (behaviour) {
      case undefined:
      case 'no-mx':
        return [];
      case 'null-mx':
        return [mx('.', 0)];
      case 'a-only':
        return [{ name, type: 'A', value: addressOf(behaviour), ttlSeconds }];
      case 'backup':
        return [mx('mx.nowhere-mxlab.test'), mx('mx.backup-mxlab.test', 20)];
      case 'tenants':
        return [mx(`${name.slice(0, -SUFFIX.length)}.tenants-mxlab.test`)];
      default:
        return [mx(`mx.${behaviour}-mxlab.test`)];
    }
  };
  return { records, hasName: (name) => behaviourOf(name) !== undefined };
}

function hostRecords(
  name: string,
  host: string,
  servers: ReadonlySet<string>,
  addressOf: (name: string) => string,
): ZoneRecord[] {
  const at = (value: string): ZoneRecord[] => [{ name, type: 'A', value, ttlSeconds: 300 }];
  if (servers.has(host)) return at(addressOf(host));
  // An address where nothing listens, and one inside the asker's own network.
  if (host === 'nowhere') return at(addressOf(host));
  return host === 'private' ? at('127.0.0.1') : [];
}
