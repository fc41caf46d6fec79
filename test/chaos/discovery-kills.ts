/**
 * `npm run drill -- discovery-kills --leads 10000 --kills 20 --seed 1`: a discovery in a world of its own
 * whose worker dies by kill -9 at random moments; it ends complete, with exact counters, no
 * duplicate, every contact bought once, and histories below 2,000 events.
 */
import { Client, Connection } from '@temporalio/client';
import { openDatabase } from '../../src/db/database.ts';
import { mintJwt } from '../../src/dev/tokens.ts';
import { startWorld } from '../../src/dev/world.ts';
import { readWorldFile, type WorldFile } from '../../src/dev/world-file.ts';
import { makeStateDir, removeStateDir } from '../support/drills/world.ts';
import { countUncertain, problemsOf, runDrill, type DrillWorld } from './discovery-drill.ts';
import { openControlApi, supply } from './discovery-supply.ts';
import { countOrNone } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

interface Options {
  leads: number;
  kills: number;
  seed: number;
}

const options = drillCommand('discovery-kills')
  .option('--leads <n>', 'leads to discover', countOrNone, 10_000)
  .option('--kills <n>', 'kill -9 of the worker', countOrNone, 20)
  .option('--seed <n>', 'of the moments', countOrNone, 1)
  .addHelpText(
    'after',
    '\nExample:\n  npm run drill -- discovery-kills --leads 1000 --kills 3 --seed 2',
  )
  .parse()
  .opts<Options>();

/** By this factor the vendors' rate limits and lags pass faster. */
const SANDBOX_PACE = 200;

// Without this an interrupted world would keep running.
process.once('SIGINT', () => void leave());
process.once('SIGTERM', () => void leave());

const say = (line: string) => void process.stdout.write(`${line}\n`);
const stateDir = await makeStateDir();
const starting = await startWorld({
  stateDir,
  ports: 'auto',
  fresh: true,
  daySeconds: 86_400,
  sandboxPace: SANDBOX_PACE,
  report: say,
});
try {
  const file = await starting.ready;
  process.exitCode = (await drill(file)) ? 0 : 1;
} finally {
  await starting.stop();
  await removeStateDir(stateDir);
}

async function leave(): Promise<void> {
  await starting.stop();
  await removeStateDir(stateDir);
  process.exit(130);
}

async function drill(file: WorldFile): Promise<boolean> {
  const { leads, kills, seed } = options;
  const connection = await Connection.connect({ address: file.temporalAddress });
  const db = openDatabase(file.databaseUrl, { poolSize: 3 });
  const world: DrillWorld = {
    api: file.api,
    token: await mintJwt(file.jwtSecret),
    db,
    temporal: new Client({ connection }),
    control: openControlApi(file.sandbox),
    worker: async () => {
      const { pids, metrics } = (await readWorldFile(stateDir))!;
      return { pid: pids['worker']!, readyUrl: new URL('/ready', metrics.worker).href };
    },
  };
  try {
    say(`seed ${seed}: ${leads} leads, ${kills} kills`);
    const { searchTerm, companies, people, work } = await supply(world.control, leads, `s${seed}`);
    say(`the world has ${companies} advertisers and ${people} people`);
    const result = await runDrill(world, {
      searchTerm,
      leads,
      kills,
      seed,
      work,
      report: say,
    });
    const problems = await problemsOf(world, result);
    const { process: ended, actions, seconds } = result;
    const { foundLeads, processedLeads, duplicateLeads, notes } = ended;
    say(JSON.stringify({ foundLeads, processedLeads, duplicateLeads, notes }));
    say(JSON.stringify({ contactSources: ended['contactSources'] }));
    say(`${await countUncertain(world, ended.id)} purchases whose answers died with a worker`);
    say(`${seconds.toFixed(0)} s, ${result.kills} kills, ${JSON.stringify(actions)}`);
    say(problems.length === 0 ? 'discovery-kills: ok' : `FAILED\n- ${problems.join('\n- ')}`);
    return problems.length === 0 && result.kills === kills;
  } finally {
    await db.destroy();
    await connection.close();
  }
}
