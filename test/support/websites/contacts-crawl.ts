/** Labelled sites behind a server, visited as in production, from request to contacts. */
import type { SiteContacts } from '../../../src/domain/discovery/contacts.ts';
import { createCrawler } from '../../../src/providers/websites/crawler.ts';
import type { LabelledSite } from './contacts-corpus.ts';
import type { WebWorld } from './web-world.ts';

/**
 * With more visits at once this process, which also parses pages, would serve too slowly and they would
 * time out.
 */
const AT_ONCE = 8;

/** Serves all sites and visits them, some at once; answers what was found, by host. */
export async function crawlSites(
  world: WebWorld,
  sites: readonly LabelledSite[],
): Promise<Map<string, SiteContacts>> {
  const crawler = createCrawler(world.options);
  const found = new Map<string, SiteContacts>();
  const waiting = sites.values();
  const visitor = async (): Promise<void> => {
    for (const site of waiting) {
      serve(world, site);
      const { website, country: countryCode } = site;
      const { contacts } = await crawler.visit({ website, countryCode });
      found.set(site.host, contacts);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  return found;
}

function serve(world: WebWorld, { website, pages }: LabelledSite): void {
  world.site(new URL(website).hostname, (request, response) => {
    const path = request.url ?? '/';
    const page = pages[path] ?? pages[safeDecode(path)];
    if (!page) return void response.writeHead(404).end();
    response.writeHead(page.status, { 'content-type': page.contentType }).end(page.body);
  });
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
