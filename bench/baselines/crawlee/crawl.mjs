/** P6's peer: Crawlee's CheerioCrawler, reading the same pages with the same extraction. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [installed, built, port, mode] = process.argv.slice(2);
const { CheerioCrawler, Configuration, log } = createRequire(`${installed}/package.json`)(
  '@crawlee/cheerio',
);
const { extractPage, CONTACT_PAGE_SCORE } = await import(
  pathToFileURL(`${built}/src/providers/websites/extract/index.js`).href
);
log.setLevel(log.LEVELS.OFF);

const addressOf = (site) => `127.1.${Math.floor(site / 250)}.${(site % 250) + 1}`;

/** No ramp-up, no sessions, no pauses, no robots.txt. */
const QUICKEST = {
  minConcurrency: 100,
  maxConcurrency: 200,
  useSessionPool: false,
  persistCookiesPerSession: false,
};

async function crawlAll({ sites }) {
  let pages = 0;
  let emails = 0;
  let largest = 0;
  const troubles = [];
  const sampling = setInterval(() => (largest = Math.max(largest, process.memoryUsage.rss())), 20);
  const crawler = new CheerioCrawler(
    {
      ...(mode === 'defaults' ? {} : QUICKEST),
      maxRequestRetries: 1,
      async requestHandler({ body, request, crawler: self }) {
        const { contactLinks, emails: found } = extractPage({
          html: body.toString(),
          url: request.loadedUrl,
          countryCode: 'DE',
        });
        pages += 1;
        emails += found.length;
        if (request.userData.isFurther) return;
        const further = contactLinks.filter(({ score }) => score >= CONTACT_PAGE_SCORE);
        await self.addRequests(
          further.slice(0, 5).map(({ url }) => ({ url, userData: { isFurther: true } })),
        );
      },
      failedRequestHandler: (_context, error) => troubles.push(error.message),
    },
    new Configuration({ persistStorage: false, availableMemoryRatio: 0.9 }),
  );
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await crawler.run(sites.map((site) => `http://${addressOf(site)}:${port}/`));
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  clearInterval(sampling);
  const cpuMs = (user + system) / 1_000;
  process.send({ ms, cpuMs, pages, emails, troubles, largestRss: largest });
}

process.on('message', (message) => void crawlAll(message));
process.on('disconnect', () => process.exit(0));
process.send('ready');
