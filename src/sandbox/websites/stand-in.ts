/** Business websites as a stand-in: names in the DNS, ports 80 and 443 behind the proxy. */
import type { SandboxCore, StandIn } from '../core.ts';
import { openSiteBooks, siteZone } from './books.ts';
import { siteDoor } from './door.ts';
import { GENERATED_SITES } from './generated/world.ts';
import { startSiteServers } from './servers.ts';

export interface Websites extends StandIn {
  /** Whether the world's mail exchangers answer for this domain because it has a website. */
  receivesMail: (domain: string) => boolean;
}

export function createWebsites(core: SandboxCore): Websites {
  const books = openSiteBooks(core, GENERATED_SITES);
  core.zone.addSource(siteZone(books));
  let changed = (_host: string): void => {};
  let close = async (): Promise<void> => {};
  return {
    name: 'websites',
    receivesMail: books.receivesMail,
    door: siteDoor(books, (host) => changed(host)),
    async start() {
      const servers = await startSiteServers(core, books);
      close = servers.close;
      changed = (host) => {
        const site = books.site(host);
        const ipv4 = books.addressOf(host);
        core.hosts.unregister(ipv4);
        if (site === undefined || site.down === true) return;
        core.hosts.register(ipv4, 80, servers.httpPort);
        core.hosts.register(ipv4, 443, servers.httpsPort);
      };
      core.store.batch(() => {
        for (const { host } of [...books.generated(), ...books.put()]) changed(host);
      });
    },
    close: () => close(),
  };
}
