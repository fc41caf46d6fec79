/**
 * `npm run drill -- campaign-kills --recipients 20000 --kills 50 --seed 1`: a campaign in a world of
 * its own while worker, API, Postgres and Temporal die by kill -9 at random moments; nobody gets a
 * message twice, nobody is left out, and a state shows every other result for a recipient.
 */
import { fundedAccount } from '../e2e/account.ts';
import { enterWorld } from '../e2e/shared-world.ts';
import { makeStateDir, removeStateDir, startWorld } from '../support/drills/world.ts';
import { campaignProblems } from './campaign-books.ts';
import { runCampaignDrill } from './campaign-drill.ts';
import { describeKills, notShown } from './kill-points.ts';
import { countOrNone } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

interface Options {
  recipients: number;
  mailboxes: number;
  kills: number;
  seed: number;
  daySeconds: number;
  aimed?: true;
}

const options = drillCommand('campaign-kills')
  .option('--recipients <n>', 'leads of the campaign', countOrNone, 20_000)
  .option('--mailboxes <n>', 'mailboxes that send', countOrNone, 40)
  .option('--kills <n>', 'kill -9 of worker, API, Postgres or Temporal', countOrNone, 50)
  .option('--seed <n>', 'of victims and moments', countOrNone, 1)
  .option('--day-seconds <n>', 'how long a day of sending lasts', countOrNone, 20)
  .option(
    '--aimed',
    'kill the worker with messages in flight, and the next one just before or after it has the shard',
  )
  .addHelpText(
    'after',
    '\nExample:\n  npm run drill -- campaign-kills --recipients 2000 --kills 5 --day-seconds 5',
  )
  .parse()
  .opts<Options>();

/** One domain and one server. */
const FUNDS_CENTS = 5_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const stateDir = await makeStateDir();
const running = await startWorld(stateDir, ['--day-seconds', String(options.daySeconds)]);

// Without this an interrupted world would keep running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(130));

try {
  const world = await enterWorld(running, new Set());
  const account = await fundedAccount(world, 'campaign-drill', FUNDS_CENTS);
  const drill = { ...options, isAimed: options.aimed ?? false, report: say };
  say(`seed ${options.seed}: ${options.recipients} recipients, ${options.kills} kills`);
  const result = await runCampaignDrill(world, account, drill);
  const problems = await campaignProblems(world, drill, result);
  if (drill.isAimed) {
    say(`kills as the shard changed its owner: ${describeKills(result.ownerKills)}`);
    problems.push(...notShown(result.ownerKills));
  }
  say(JSON.stringify(result.ends));
  say(`${result.seconds.toFixed(0)} s, ${result.kills} kills, ${JSON.stringify(result.actions)}`);
  const shown = problems.slice(0, 50).join('\n- ');
  say(problems.length === 0 ? 'campaign-kills: ok' : `FAILED (${problems.length})\n- ${shown}`);
  await world.leave();
  process.exitCode = problems.length === 0 && result.kills === options.kills ? 0 : 1;
} finally {
  await running.stop();
  await removeStateDir(stateDir);
}

async function leave(code: number): Promise<void> {
  await running.stop();
  await removeStateDir(stateDir);
  process.exit(code);
}
