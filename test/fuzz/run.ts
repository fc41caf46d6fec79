/**
 * `npm run drill -- fuzz --requests 250000 --seed 7`: requests made of our own OpenAPI document against
 * all routes on a Postgres of its own. Prints rate, statuses and every fault; fails with the first.
 */
import { openDatabase } from '../../src/db/database.ts';
import { fuzz, startFuzzedApi, type FuzzResult } from '../support/api/fuzz.ts';
import { withOwnPostgres } from '../support/drills/own-postgres.ts';
import { count } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

const options = drillCommand('fuzz')
  .option('--requests <n>', 'how many', count, 250_000)
  .option('--seed <n>', 'the same seed, the same requests', count, Date.now() % 1_000_000)
  .addHelpText('after', '\nExample:\n  npm run drill -- fuzz --requests 5000 --seed 7')
  .parse()
  .opts<{ requests: number; seed: number }>();

const REPORT_EVERY = 2_000;

await withOwnPostgres({ name: 'fuzz' }, async ({ appUrl: url, over }) => {
  const db = openDatabase(url, { poolSize: 5 });
  const api = await startFuzzedApi({ db, url });
  const startedAt = Date.now();
  const rate = (answered: number) => Math.round((answered / (Date.now() - startedAt)) * 1_000);
  const report = ({ answered, faults: found }: FuzzResult) => {
    if (answered % REPORT_EVERY !== 0) return;
    const soFar = `${answered} of ${options.requests} answered, ${rate(answered)}/s`;
    process.stdout.write(`${soFar}, ${found.length} faults\n`);
  };
  const { answered, statuses, faults } = await fuzz(api, { ...options, report, over });
  for (const fault of faults) process.stdout.write(`fault: ${fault.slice(0, 600)}\n`);
  const counted = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(
    `${answered} requests (seed ${options.seed}), ${rate(answered)}/s: ${faults.length} faults; ` +
      `statuses ${counted.join(', ')}\n`,
  );
  await api.close();
  await db.destroy();
  return faults.length === 0;
});
