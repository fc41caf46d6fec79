/**
 * P9: Temporal actions per lead of a discovery and per place of a maps run with enrichment, counted
 * from their histories in a world of its own. Heartbeats are in no history: they come from the worker's
 * metrics and are reported separately, at the world's interval, which is a fifth of production's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { countActions } from '../src/dev/temporal/temporal-actions.ts';
import { startWorld } from '../src/dev/world.ts';
import type { WorldFile } from '../src/dev/world-file.ts';
import { openControlApi, supply, type ControlApi } from '../test/chaos/discovery-supply.ts';
import { makeStateDir, removeStateDir } from '../test/support/drills/world.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { machine } from './rounds.ts';

const GOAL = 0.01;
const POLL_MS = 2_000;
/** By this factor the vendors' rate limits and lags pass faster. */
const SANDBOX_PACE = 200;
/** Places of one search string. Choice 32. */
const PLACES_PER_SEARCH = 500;

const { leads: LEADS, places: PLACES } = optionsOf<{ leads: number; places: number }>(
  bench('p9', 'Temporal actions per lead of a discovery and per place of a maps run.')
    .option('--leads <n>', 'of the discovery', count, 5_000)
    .option('--places <n>', 'of the maps run; 500 are a search', count, 5_000),
);

const stateDir = await makeStateDir();
const world = await startWorld({
  stateDir,
  ports: 'auto',
  fresh: true,
  daySeconds: 86_400,
  sandboxPace: SANDBOX_PACE,
  report: () => undefined,
});
try {
  const file = await world.ready;
  const connection = await Connection.connect({ address: file.temporalAddress });
  const client = new Client({ connection });
  const control = openControlApi(file.sandbox);
  await discovery(file, client, control);
  await mapsRun(file, client, control);
  console.log(await machine());
  await connection.close();
} finally {
  await world.stop();
  await removeStateDir(stateDir);
}

async function discovery(file: WorldFile, client: Client, control: ControlApi): Promise<void> {
  const { searchTerm } = await supply(control, LEADS, 'p9');
  const before = await heartbeats(file);
  const order = { searchTerm, leadCount: LEADS, adReachedCountries: ['DE', 'US'] };
  const { id } = await ask(file, 'POST', '/v1/leads/process', order);
  const { foundLeads } = await untilEnd(file, `/v1/leads/process/${id}`, ['processing']);
  await tell(client, file, { name: 'lead', id: `discovery/${id}`, of: foundLeads, before });
}

async function mapsRun(file: WorldFile, client: Client, control: ControlApi): Promise<void> {
  const searches = Array.from({ length: PLACES / PLACES_PER_SEARCH }, (_, i) => `bakery p9x${i}`);
  for (const [i, searchString] of searches.entries()) {
    const places = Array.from({ length: PLACES_PER_SEARCH }, (_, n) => ({
      placeId: `p9-${i}-${n}`,
      title: `Bakery ${n}`,
      searchString,
      city: 'Berlin',
      countryCode: 'DE',
      website: `https://bakery-p9-${i}-${n}.test/`,
    }));
    await control('PUT', '/places', { places });
  }
  const before = await heartbeats(file);
  const order = {
    searchStringsArray: searches,
    locationQuery: 'Berlin',
    countryCode: 'de',
    maxCrawledPlacesPerSearch: PLACES_PER_SEARCH,
    scrapeContacts: true,
  };
  const { id } = await ask(file, 'POST', '/v1/maps-scraper/runs', order);
  const under = ['queued', 'running', 'enriching'];
  const { savedItems } = await untilEnd(file, `/v1/maps-scraper/runs/${id}`, under);
  await tell(client, file, { name: 'place', id: `maps-run/${id}`, of: savedItems, before });
}

async function tell(
  client: Client,
  file: WorldFile,
  { name, id, of, before }: { name: string; id: string; of: number; before: number },
): Promise<void> {
  const { total, maxEvents, runs, ...parts } = await countActions(client, id);
  const beats = (await heartbeats(file)) - before;
  const ratio = (total / of).toFixed(4);
  console.log(`P9 ratio=${ratio} goal=<=${GOAL} (actions per ${name}, ${total} for ${of})`);
  console.log(`   ${JSON.stringify(parts)}, ${runs} run(s), longest history ${maxEvents} events`);
  console.log(`   heartbeats beside them: ${beats}`);
}

/** Heartbeats of this worker; a restart sets them back to zero. */
async function heartbeats({ metrics }: WorldFile): Promise<number> {
  const text = await (await fetch(metrics.worker)).text();
  const lines = text
    .split('\n')
    .filter((line) => /^temporal_(long_)?request(_total)?\{/.test(line));
  return lines
    .filter((line) => line.includes('operation="RecordActivityTaskHeartbeat"'))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

// oxlint-disable-next-line typescript/no-explicit-any -- the answer's `data`, whatever it is
async function untilEnd(file: WorldFile, path: string, open: string[]): Promise<any> {
  for (;;) {
    const now = await ask(file, 'GET', path);
    if (!open.includes(now.status)) return now;
    await sleep(POLL_MS);
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- the answer's `data`, whatever it is
async function ask(file: WorldFile, method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${file.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${file.jwt}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const parsed = (await answer.json()) as { data: unknown };
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(parsed)}`);
  return parsed.data;
}
