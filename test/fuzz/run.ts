/**
 * `npm run fuzz -- --requests 250000 --seed 7`: requests made of our own OpenAPI document against
 * all routes on a Postgres of its own. Prints rate, statuses and every fault; fails with the first.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDatabase, startEmbeddedPostgres } from '../../src/dev/embedded-postgres.ts';
import { freePort } from '../../src/dev/ports.ts';
import { fuzz, startFuzzedApi, type FuzzResult } from '../support/fuzz.ts';
import { count } from '../support/whole-number.ts';

const options = new Command('npm run fuzz --')
  .description('Sends odd requests and holds each answer against the OpenAPI document.')
  .option('--requests <n>', 'how many', count, 250_000)
  .option('--seed <n>', 'the same seed, the same requests', count, Date.now() % 1_000_000)
  .addHelpText('after', '\nExample:\n  npm run fuzz -- --requests 5000 --seed 7')
  .parse()
  .opts<{ requests: number; seed: number }>();

const REPORT_EVERY = 2_000;

const folder = await mkdtemp(join(tmpdir(), 'outreach-fuzz-'));
const place = {
  folder: join(folder, 'postgres'),
  port: await freePort(),
  password: 'fuzz',
  logFile: join(folder, 'postgres.log'),
  // Nothing of it is kept.
  durable: false,
};
const postgres = await startEmbeddedPostgres(place);
try {
  await createDatabase(place, 'fuzz');
  const url = `postgres://fuzz_app:fuzz@127.0.0.1:${place.port}/fuzz`;
  await migrate({ ownerUrl: postgres.ownerUrl('fuzz'), appUrl: url });
  const db = openDatabase(url, { poolSize: 5 });
  const api = await startFuzzedApi({ db, url });
  const startedAt = Date.now();
  const rate = (answered: number) => Math.round((answered / (Date.now() - startedAt)) * 1_000);
  const report = ({ answered, faults: found }: FuzzResult) => {
    if (answered % REPORT_EVERY !== 0) return;
    const soFar = `${answered} of ${options.requests} answered, ${rate(answered)}/s`;
    process.stdout.write(`${soFar}, ${found.length} faults\n`);
  };
  const { answered, statuses, faults } = await fuzz(api, { ...options, report });
  for (const fault of faults) process.stdout.write(`fault: ${fault.slice(0, 600)}\n`);
  const counted = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(
    `${answered} requests (seed ${options.seed}), ${rate(answered)}/s: ${faults.length} faults; ` +
      `statuses ${counted.join(', ')}\n`,
  );
  if (faults.length > 0) process.exitCode = 1;
  await api.close();
  await db.destroy();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
