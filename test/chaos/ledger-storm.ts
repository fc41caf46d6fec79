/**
 * `npm run drill -- ledger-storm --operations 1000000 --seed 7`: 64 clients move the money of a few
 * users on a Postgres of its own, whose connections are ended and whose processes die by kill -9
 * meanwhile; the ledger then sums to zero, nothing is negative, lost or there twice, and only movements
 * without enough money are refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { openDatabase } from '../../src/db/database.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import type { Database } from '../../src/db/tables.ts';
import { countKeys, runStorm } from '../support/wallet/ledger-storm.ts';
import { withOwnPostgres, type OwnDatabase } from '../support/drills/own-postgres.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { seededRandom } from './seeded-random.ts';
import { count } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

const options = drillCommand('ledger-storm')
  .option('--operations <n>', 'of all clients together', count, 1_000_000)
  .option('--clients <n>', 'at once', count, 64)
  .option('--minutes <n>', 'stop after so long, whatever is left', count, 1_440)
  .option('--seed <n>', 'of operations and kills', count, 7)
  .addHelpText(
    'after',
    '\nExample:\n  npm run drill -- ledger-storm --operations 20000 --minutes 5',
  )
  .parse()
  .opts<{ operations: number; clients: number; minutes: number; seed: number }>();

const USERS = 32;
const FUNDS_CENTS = 20_000;
const KILL_EVERY_MS = 5_000;
/** One kill in this many is a kill -9, after which Postgres recovers from its log. */
const HARD_ONE_IN = 3;

const say = (line: string) => void process.stdout.write(`${line}\n`);
await withOwnPostgres({ name: 'storm', durable: true }, storm);

async function storm({ ownerUrl, appUrl, over }: OwnDatabase): Promise<boolean> {
  const db = openDatabase(appUrl, { poolSize: options.clients });
  const killer = openDatabase(ownerUrl, { poolSize: 1 });
  const users = await Promise.all(Array.from({ length: USERS }, () => userWith(db, FUNDS_CENTS)));
  const startedAt = performance.now();
  const done = new AbortController();
  const killing = killConnections(killer, AbortSignal.any([over, done.signal]));
  const result = await runStorm({
    ...options,
    db,
    users,
    until: startedAt + options.minutes * 60_000,
    over,
    report: (n) => say(`${n} operations, ${Math.round((performance.now() - startedAt) / 1_000)} s`),
  });
  done.abort();
  const kills = await killing;
  const mismatches = (await auditWallets(db)).map((one) => JSON.stringify(one));
  const lost = result.done.size - (await countKeys(db, [...result.done]));
  for (const line of [...mismatches, ...result.wronglyRefused].slice(0, 20)) say(`- ${line}`);
  const { operations, retries, crashes, cut, refused, wronglyRefused } = result;
  say(
    `ledger storm: seed ${options.seed}, ${operations} operations of ${options.clients} clients, ` +
      `${retries} retries, ${crashes} crashes, ${kills.soft} connections ended, ${kills.hard} kill -9, ` +
      `${cut} attempts cut, ${refused} refused; ${mismatches.length} wallets that do not add up, ` +
      `${lost} lost, ${wronglyRefused.length} refused with enough money; ` +
      `${Math.round((performance.now() - startedAt) / 1_000)} s`,
  );
  await Promise.all([db.destroy(), killer.destroy()]);
  return mismatches.length + lost + wronglyRefused.length === 0 && operations > 0;
}

/** Ends one of the clients' connections at a time, sometimes by killing its process. */
async function killConnections(killer: Kysely<Database>, over: AbortSignal) {
  const random = seededRandom(options.seed);
  const kills = { soft: 0, hard: 0 };
  for (;;) {
    await sleep(KILL_EVERY_MS * (0.5 + random()), undefined, { signal: over }).catch(
      () => undefined,
    );
    if (over.aborted) return kills;
    const isHard = random() * HARD_ONE_IN < 1;
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where usename = 'storm_app' order by random() limit 1
    `
      .execute(killer)
      .catch(() => ({ rows: [] }));
    const [victim] = rows;
    if (victim === undefined) continue;
    if (isHard) {
      process.kill(victim.pid, 'SIGKILL');
      kills.hard += 1;
    } else {
      await sql`select pg_terminate_backend(${victim.pid})`.execute(killer).catch(() => undefined);
      kills.soft += 1;
    }
  }
}
