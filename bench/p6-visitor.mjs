/** Our crawler for P6, built: visits the given sites and reports pages, time and memory. */
import { pathToFileURL } from 'node:url';

const [built, proxy] = process.argv.slice(2);
const { createWebsites } = await import(
  pathToFileURL(`${built}/src/providers/websites/index.js`).href
);

const websites = createWebsites({
  dns: { resolveA: (name) => Promise.resolve([addressOf(Number(/\d+/.exec(name)[0]))]) },
  outboundProxy: proxy,
  contactUrl: 'https://bench.example/bot',
  allowBenchmarkRange: true,
});

const addressOf = (site) => `198.18.${Math.floor(site / 250)}.${(site % 250) + 1}`;

async function visitAll({ sites }) {
  let largest = 0;
  const sampling = setInterval(() => (largest = Math.max(largest, process.memoryUsage.rss())), 20);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const answers = await Promise.all(
    sites.map((site) =>
      websites.visit({ website: `http://www.betrieb-${site}.de/`, countryCode: 'DE' }),
    ),
  );
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  clearInterval(sampling);
  process.send({
    ms,
    cpuMs: (user + system) / 1_000,
    pages: answers.reduce((sum, { pages }) => sum + pages.length, 0),
    emails: answers.reduce((sum, { contacts }) => sum + contacts.emails.length, 0),
    troubles: answers.filter(({ state }) => state !== 'found').map(({ reason }) => reason),
    largestRss: largest,
  });
}

process.on('message', (message) => void visitAll(message));
process.on('disconnect', () => process.exit(0));
process.send('ready');
