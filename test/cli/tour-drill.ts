/** `npm run drill -- cli-tour`: the whole tour, follow-ups and all, by the command line. */
import { MOST_COMMANDS, runCliTour } from '../e2e/cli-tour.ts';
import { makeStateDir, removeStateDir, startWorld } from '../support/drills/world.ts';
import { countOrNone } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

const options = drillCommand('cli-tour')
  .option('--silent <n>', 'recipients who do nothing', countOrNone, 20)
  .option('--day-seconds <n>', 'how long a day of sending lasts', countOrNone, 20)
  .addHelpText('after', '\nExample:\n  npm run drill -- cli-tour --silent 4 --day-seconds 10')
  .parse()
  .opts<{ silent: number; daySeconds: number }>();

const say = (line: string) => void process.stdout.write(`${line}\n`);
const stateDir = await makeStateDir();
const running = await startWorld(stateDir, ['--day-seconds', String(options.daySeconds)]);

// Without this an interrupted world would keep running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(130));

try {
  const started = Date.now();
  const { silent } = options;
  const file = await running.read();
  const commands = await runCliTour(file, { silent, hasFollowUps: true, report: say });
  const seconds = ((Date.now() - started) / 1_000).toFixed(0);
  say(
    `${commands <= MOST_COMMANDS ? 'cli-tour: ok' : 'FAILED'}, ${commands} commands, ${seconds} s`,
  );
  process.exitCode = commands <= MOST_COMMANDS ? 0 : 1;
} finally {
  await running.stop();
  await removeStateDir(stateDir);
}

async function leave(code: number): Promise<void> {
  await running.stop();
  await removeStateDir(stateDir);
  process.exit(code);
}
