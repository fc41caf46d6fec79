/** The product's own host of links, `links.outreach.test`: its ports lead to the API's listeners. */
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { SandboxCore, StandIn } from './core.ts';
import type { ZoneSource } from './zone.ts';

/** Clients' tracking domains are CNAMEs to names below it. */
export const LINKS_HOST = 'links.outreach.test';

/** Below the seeds' address, at the end of the world's range. */
const ADDRESS = '198.19.255.251';

export function createLinksHost(core: SandboxCore): StandIn {
  const relays: Server[] = [];
  core.zone.addSource(zone);
  return {
    name: 'links',
    async start() {
      const { linksHttpPort, linksTlsPort, linksAddress: host } = core.options;
      for (const [port, own] of [
        [80, linksHttpPort],
        [443, linksTlsPort],
      ] as const) {
        if (own === undefined) continue;
        if (host === undefined) {
          core.hosts.register(ADDRESS, port, own);
          continue;
        }
        const relay = await listen(relayTo({ host, port: own }, core.closing));
        relays.push(relay);
        core.hosts.register(ADDRESS, port, (relay.address() as AddressInfo).port);
      }
    },
    async close() {
      for (const relay of relays) relay.close();
    },
  };
}

/** Hosts of the world are on the loopback; the API may be on another machine, which is connected to when it is asked. */
function relayTo(target: { host: string; port: number }, signal: AbortSignal): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
    const there = connect({ ...target, allowHalfOpen: true });
    // What breaks on one side breaks the other; an end is passed on.
    pipeline(socket, there, { signal }).catch(() => undefined);
    pipeline(there, socket, { signal }).catch(() => undefined);
  });
}

const listen = (server: Server): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

/** A wildcard record: each client's name points to a label of its own. */
const hasName = (name: string) => name === LINKS_HOST || name.endsWith(`.${LINKS_HOST}`);
const zone: ZoneSource = {
  hasName,
  records: (name) => (hasName(name) ? [{ name, type: 'A', value: ADDRESS, ttlSeconds: 300 }] : []),
};
