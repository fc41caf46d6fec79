/**
 * `npm run drill -- links --operations 300 --seed 7`: users work in a world of its own while one link after
 * the other is slow, cut, refused or silent; afterwards nothing that was answered is lost or doubled,
 * and after each fault a fresh purchase, which goes over all of them, was done within ten seconds. With `--kills`
 * workers die beside the faults, as a shard changes its owner; then a campaign sends, too, of which nothing is lost or
 * doubled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startWorld } from '../../src/dev/world.ts';
import { readWorldFile } from '../../src/dev/world-file.ts';
import { enterWorld, type SharedWorld } from '../e2e/shared-world.ts';
import { LINK_FAULTS } from '../support/tools/tcp-link.ts';
import { makeStateDir, removeStateDir } from '../support/drills/world.ts';
import { breakLinks, createLinks, type Recovery } from './broken-links.ts';
import { judge, workHasEnded } from './link-books.ts';
import { createLinkKills } from './link-kills.ts';
import { openShop, operate, probe, type Done } from './link-drill.ts';
import { seededRandom } from './seeded-random.ts';
import { count, countOrNone } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

const options = drillCommand('links')
  .option(
    '--operations <n>',
    'so many at least, and until each link has had each fault',
    count,
    10_000,
  )
  .option('--seed <n>', 'of operations, links, faults and their lengths', count, 7)
  .option(
    '--kills <n>',
    'while a link of the worker is broken: of the worker with messages in flight, and of the next one just before or after it has their shard',
    countOrNone,
    0,
  )
  .option(
    '--recipients <n>',
    'with kills: leads of the campaign that sends meanwhile',
    count,
    1_000,
  )
  .addHelpText(
    'after',
    '\nExamples:\n  npm run drill -- links --operations 300 --seed 7\n' +
      '  npm run drill -- links --operations 20 --seed 11 --kills 6 --recipients 400',
  )
  .parse()
  .opts<{ operations: number; seed: number; kills: number; recipients: number }>();

const GOAL_MS = 10_000;
const AT_ONCE = 8;
/** Enough is done, but not every link has had every fault yet: the client slows down. */
const MORE_MS = 4_000;
const SHOWN = 50;
/** A campaign lasts as long as some dozens of faults: few mailboxes, and days of a minute. */
const MAILBOXES = 4;
const CAMPAIGN_DAY_SECONDS = 60;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const stateDir = await makeStateDir();
const links = createLinks();
const starting = await startWorld({
  stateDir,
  ports: 'auto',
  fresh: true,
  daySeconds: options.kills > 0 ? CAMPAIGN_DAY_SECONDS : 86_400,
  through: (user, ports) => links.through(user, ports),
  report: say,
});

// Without this an interrupted world would keep running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(130));

try {
  await starting.ready;
  const world = await enterWorld(
    {
      stateDir,
      apiAfterMs: () => Number.NaN,
      read: async () => (await readWorldFile(stateDir))!,
      stop: async () => ({ code: 0, survivors: [] }),
    },
    new Set(),
  );
  process.exitCode = (await drill(world)) ? 0 : 1;
  await world.leave();
} finally {
  await starting.stop();
  await links.close();
  await removeStateDir(stateDir);
}

async function leave(code: number): Promise<void> {
  await starting.stop();
  await removeStateDir(stateDir);
  process.exit(code);
}

async function drill(world: SharedWorld): Promise<boolean> {
  const startedAt = Date.now();
  const shop = await openShop(world, options.operations);
  const done: Done[] = [];
  const prober = shop.accounts.at(-1)!;
  /** In milliseconds. */
  const probing = async () => {
    const one = await probe(world, prober, say);
    done.push(one.done);
    return one.tookMs;
  };
  const calmMs = await probing();
  const kills =
    options.kills > 0
      ? await createLinkKills(world, { ...options, mailboxes: MAILBOXES, report: say })
      : undefined;
  let started = 0;
  let working = AT_ONCE;
  let met = 0;
  const pairs = links.all.length * LINK_FAULTS.length;
  const worker = async (n: number) => {
    const random = seededRandom(options.seed * 100 + n);
    const isMore = () => met < pairs || kills?.areOver() === false;
    while (started < options.operations || isMore()) {
      if (started >= options.operations) await sleep(MORE_MS);
      started += 1;
      done.push(await operate(world, shop, random));
    }
    working -= 1;
  };
  const work = Promise.all(Array.from({ length: AT_ONCE }, (_, n) => worker(n)));
  // Its error is handled below.
  work.catch(() => (working = 0));
  say(`without a fault a purchase takes ${calmMs} ms alone, ${await probing()} ms beside the work`);
  const recoveries = await breakLinks(links.all, {
    random: seededRandom(options.seed),
    isOver: () => working <= 0,
    ...(kills && { strike: (link) => kills.strike(link) }),
    probe: probing,
    report({ link, fault, downMs, recoveryMs }) {
      met += 1;
      say(`${link} ${fault} for ${downMs} ms: ${recoveryMs} ms after it`);
    },
  });
  await work;
  await workHasEnded(world);
  const verdict = await judge(world, shop, done);
  const unwell = (await kills?.problems()) ?? [];
  for (const line of unwell.slice(0, SHOWN)) say(`- campaign: ${line}`);
  for (const [kind, lines] of Object.entries(verdict)) {
    for (const line of (lines as string[]).slice(0, SHOWN)) say(`- ${kind}: ${line}`);
  }
  const { lost, doubled, cents } = verdict;
  const late = recoveries.filter(({ recoveryMs }) => recoveryMs > GOAL_MS);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  say(
    `links: seed ${options.seed}, ${done.length} operations, ${recoveries.length} faults ` +
      `(${new Set(recoveries.map(({ link, fault }) => `${link} ${fault}`)).size} of ${pairs} pairs), ` +
      `${seconds} s, ${lost.length} lost, ${doubled.length} doubled, ${cents.length} wallets with ` +
      `lost cents, ${late.length} recoveries over 10 s (${spread(recoveries)})`,
  );
  if (kills) say(`campaign: ${unwell.length} problems`);
  return lost.length + doubled.length + cents.length + late.length + unwell.length === 0;
}

function spread(recoveries: readonly Recovery[]): string {
  const sorted = recoveries.map(({ recoveryMs }) => recoveryMs).toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `median ${median} ms, longest ${sorted.at(-1) ?? 0} ms`;
}
