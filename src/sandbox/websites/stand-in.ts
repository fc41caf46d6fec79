/** Business websites as a stand-in: names in the DNS, ports 80 and 443 behind the proxy. */
import type { SandboxCore, StandIn } from '../core.ts';
import { openSiteRecords, siteZone } from './site-records.ts';
import { siteControl } from './control-api.ts';
import { GENERATED_SITES } from './generated/world.ts';
import { startSiteServers } from './servers.ts';

export interface Websites extends StandIn {
  /** Whether the world's mail exchangers answer for this domain because it has a website. */
  receivesMail: (domain: string) => boolean;
}

export function createWebsites(core: SandboxCore): Websites {
  const siteRecords = openSiteRecords(core, GENERATED_SITES);
  core.zone.addSource(siteZone(siteRecords));
  let changed = (_host: string): void => {};
  let close = async (): Promise<void> => {};
  return {
    name: 'websites',
    receivesMail: siteRecords.receivesMail,
    control: siteControl(siteRecords, (host) => changed(host)),
    async start() {
      const servers = await startSiteServers(core, siteRecords);
      close = servers.close;
      changed = (host) => {
        const site = siteRecords.site(host);
        const ipv4 = siteRecords.addressOf(host);
        core.hosts.unregister(ipv4);
        if (site === undefined || site.down === true) return;
        core.hosts.register(ipv4, 80, servers.httpPort);
        core.hosts.register(ipv4, 443, servers.httpsPort);
      };
      core.store.batch(() => {
        for (const { host } of [...siteRecords.generated(), ...siteRecords.put()]) changed(host);
      });
    },
    close: () => close(),
  };
}
