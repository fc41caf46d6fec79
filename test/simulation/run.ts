/**
 * `npm run drill -- simulate --seeds 200`: whole campaigns on a virtual clock, seed after seed, each
 * message checked against the rules of sending. Prints one line per seed; fails with the first
 * violations.
 */
import { InvalidArgumentError } from 'commander';
import { openDatabase } from '../../src/db/database.ts';
import { addKills, describeKills, notShown, newKills } from '../chaos/kill-points.ts';
import { simulate } from './simulate.ts';
import { withOwnPostgres } from '../support/drills/own-postgres.ts';
import { count } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

/** `40`, or `20..60`: another size for each seed. */
const sizes = (text: string): [number, number] => {
  const [least, most = least] = text.split('..').map(count);
  if (least! > most!) throw new InvalidArgumentError('a whole number, or a range of them');
  return [least!, most!];
};

interface Options {
  seeds: number;
  first: number;
  recipients: [number, number];
  mailboxes: number;
  grain: number;
  verbose: boolean;
}

const options = drillCommand('simulate')
  .option('--seeds <n>', 'how many seeds', count, 1)
  .option('--first <n>', 'the first seed', count, 1)
  .option('--recipients <n>', 'of the large campaign; 20..60 = by seed', sizes, [10_000, 10_000])
  .option('--mailboxes <n>', 'that both campaigns share', count, 30)
  .option('--verbose', 'each violation and each end at once', false)
  .option('--grain <seconds>', 'how exactly time is followed', count, 60)
  .addHelpText(
    'after',
    '\nExamples:\n  npm run drill -- simulate --seeds 1\n' +
      '  npm run drill -- simulate --seeds 200 --recipients 100 --mailboxes 4 --grain 300',
  )
  .parse()
  .opts<Options>();

await withOwnPostgres({ name: 'simulation' }, async ({ appUrl, over }) => {
  let violations = 0;
  let seeds = 0;
  const kills = newKills();
  const db = openDatabase(appUrl, { poolSize: 5, connectionTimeoutMs: 60_000 });
  const end = options.first + options.seeds;
  for (let seed = options.first; seed < end && !over.aborted; seed += 1) {
    const startedAt = Date.now();
    const { mailboxes, grain, verbose } = options;
    const [least, most] = options.recipients;
    const recipients = least + ((seed * 7) % (most - least + 1));
    const size = { recipients, mailboxes, grainMs: grain * 1_000 };
    const report = (line: string) => void (verbose && process.stdout.write(`  ${line}\n`));
    const result = await simulate(db, { seed, ...size, report, over }).catch((error: unknown) => {
      if (over.aborted) return;
      violations += 1;
      process.stdout.write(`seed ${seed}: broken off, ${(error as Error).stack}\n`);
    });
    if (over.aborted) break;
    seeds += 1;
    if (!result) continue;
    violations += result.violations.length;
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    const { messages, days, crashes, entered, won, ends } = result;
    addKills(kills, result.kills);
    process.stdout.write(
      `seed ${seed}: ${result.violations.length} violations, ${messages} messages in ` +
        `${days.toFixed(0)} days, ${crashes} crashes (${describeKills(result.kills)}), ${entered} entered, ${won} texts won, ${seconds} s ${JSON.stringify(ends)}\n`,
    );
    for (const line of [...result.violations.slice(0, 20), ...result.behind]) {
      process.stdout.write(`- ${line}\n`);
    }
  }
  // An interrupted seed may still have work in progress, which the end of Postgres ends.
  if (!over.aborted) await db.destroy();
  process.stdout.write(
    `simulate: ${seeds} seeds, ${violations} violations; kills as shards changed their owner: ${describeKills(kills)}\n`,
  );
  // An interrupted one says what it has met by then.
  const missed = over.aborted ? [] : notShown(kills);
  for (const line of missed) process.stdout.write(`- ${line}\n`);
  return violations + missed.length === 0;
});
