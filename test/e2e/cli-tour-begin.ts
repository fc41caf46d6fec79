/** The beginning of the tour by the command line: login, money, people, a mail host, mailboxes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openBusinesses, wordOf } from '../../src/dev/tour/businesses.ts';
import { control } from '../../src/dev/tour/client.ts';
import { check, type Tour } from '../../src/dev/tour/tour.ts';
import type { Listener } from '../support/cli/listener.ts';
import type { Cli, Shown } from '../support/cli/process.ts';

export interface CliTour {
  /** Recipients who do nothing. */
  silent: number;
  /** Waits for their follow-ups, which a day of sending later are sent. */
  hasFollowUps: boolean;
  /** Called with the ids of the mailboxes before they send. */
  onMailboxes?: (ids: number[]) => Promise<void>;
  report: (line: string) => void;
}

export interface By {
  tour: Tour;
  cli: Cli;
  options: CliTour;
  folder: string;
  listener: Listener;
}

export async function logIn({ tour, cli, options }: By): Promise<void> {
  const login = ['login', '--url', tour.world.api, '--api-key', '-'];
  const { code, out, err } = await cli.run(login, tour.key!.key);
  check(code === 0, `to be logged in, not ${err}`);
  const { permissions } = await cli.json(['whoami']);
  check(permissions.includes('campaigns:write'), 'a key that may make campaigns');
  options.report(out.trim());
}

/** The same key, so that the second command waits for the page that the first one opened. */
export async function fund({ tour, cli, options }: By): Promise<void> {
  const command = ['wallet', 'fund', '100', '--idempotency-key', `fund-${tour.domain}`];
  const { sessionId } = await cli.json(command);
  const paid = cli.json([...command, '--watch', '--timeout', '60']);
  await control(tour, 'POST', `/payments/${sessionId}/pay`);
  check((await paid).credited, 'the payment to be credited');
  const { availableCents } = await cli.json(['wallet', 'show']);
  options.report(`Paid; the wallet has ${availableCents} cents`);
}

/** Both searches and the cluster at once. */
export async function findPeople(by: By): Promise<number> {
  const { tour, cli, options } = by;
  const [ads, map] = [wordOf(tour, 'ads'), wordOf(tour, 'map')];
  const businesses = await openBusinesses(tour, ads);
  await openBusinesses(tour, map);
  const begin = ['--yes', '--watch', '--timeout', '240'];
  const berlin = ['--location', 'Berlin', '--country', 'de', '--list', `Map of ${map}`];
  const [discovery, run, cluster] = await Promise.all([
    discover(by, ads),
    cli.json(['leads', 'search-map', map, ...berlin, ...begin]),
    order(by, begin),
  ]);
  const found = await cli.json(['leads', 'list', '--list-id', String(discovery.leadListId)]);
  const emails = found.map(({ personEmail }: Shown) => personEmail);
  for (const { host, contact } of businesses) {
    const email = contact?.email ?? `nora.lind@${host}`;
    check(emails.includes(email), `${email} among the leads`);
  }
  const imported = await cli.json(['leads', 'import-places', String(run.id)]);
  check(imported.importedLeads === 3, `3 leads of places, not ${imported.importedLeads}`);
  options.report(`${emails.length} people discovered, ${imported.importedLeads} on the map`);
  return cluster.id;
}

/** The library answers nobody until it is told to, or after this time: however long a command takes to start. */
const ADS_DELAY_MS = 600_000;
const PAUSE_MS = 1_500;

/** Paused while the ad library takes its time, and resumed. */
async function discover({ tour, cli, options }: By, word: string) {
  const slow = { vendor: 'meta', kind: 'slow', delayMs: ADS_DELAY_MS };
  let id: number;
  const { id: fault } = await control<{ id: string }>(tour, 'POST', '/faults', slow);
  try {
    const search = ['leads', 'discover', word, '--count', '20', '--country', 'DE', '--yes'];
    ({ id } = await cli.json(search));
    const pause = ['leads', 'pause', String(id)];
    check((await cli.json(pause)).status === 'paused', 'the discovery to be paused');
    await sleep(PAUSE_MS);
    check((await cli.json(pause)).status === 'paused', 'it to stay paused');
  } finally {
    // Others in this world search, too.
    await control(tour, 'DELETE', `/faults/${fault}`);
  }
  const resume = ['leads', 'resume', String(id), '--yes', '--watch', '--timeout', '240'];
  const ended = await cli.json(resume);
  check(ended.status === 'completed', `a completed discovery, not ${ended.status}`);
  options.report(`Discovery ${id} paused, resumed and completed`);
  return ended;
}

async function order({ tour, cli, options }: By, begin: string[]): Promise<Shown> {
  const [name] = await cli.json(['domains', 'search', tour.domain]);
  check(name.available, `${tour.domain} to be free`);
  const create = ['clusters', 'create', tour.domain];
  const unasked = await cli.run(create);
  check(
    unasked.code === 2 && unasked.err.includes('$41.00'),
    'a price, and no order without a yes',
  );
  const { code, out, err } = await cli.run([...create, ...begin, '--json']);
  check(code === 0, `an active cluster, not ${err}`);
  check(/mail_server_install +completed/.test(err), 'to be told of the steps');
  const cluster = JSON.parse(out);
  options.report(`Cluster ${cluster.id} on ${cluster.domain} is ${cluster.status}`);
  return cluster;
}

export async function makeMailboxes({ tour, cli }: By, clusterId: number): Promise<number[]> {
  const emails = ['ada', 'grace'].map((name) => `${name}@${tour.domain}`);
  const made = await cli.json(['mailboxes', 'create', String(clusterId), ...emails]);
  check(made.failed.length === 0 && made.created.length === 2, 'two mailboxes');
  check(!JSON.stringify(made).includes('password'), 'no password to be shown');
  return made.created.map(({ id }: Shown) => id);
}
