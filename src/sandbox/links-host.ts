/** The product's own host of links, `links.outreach.test`: its ports lead to the API's listeners. */
import type { SandboxCore, StandIn } from './core.ts';
import type { ZoneSource } from './zone.ts';

/** Clients' tracking domains are CNAMEs to names below it. */
export const LINKS_HOST = 'links.outreach.test';

/** Below the seeds' address, at the end of the world's range. */
const ADDRESS = '198.19.255.251';

export function createLinksHost(core: SandboxCore): StandIn {
  core.zone.addSource(zone);
  return {
    name: 'links',
    async start() {
      const { linksHttpPort, linksTlsPort } = core.options;
      if (linksHttpPort !== undefined) core.hosts.register(ADDRESS, 80, linksHttpPort);
      if (linksTlsPort !== undefined) core.hosts.register(ADDRESS, 443, linksTlsPort);
    },
  };
}

/** A wildcard record: each client's name points to a label of its own. */
const hasName = (name: string) => name === LINKS_HOST || name.endsWith(`.${LINKS_HOST}`);
const zone: ZoneSource = {
  hasName,
  records: (name) => (hasName(name) ? [{ name, type: 'A', value: ADDRESS, ttlSeconds: 300 }] : []),
};
