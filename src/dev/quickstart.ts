/** `npm run quickstart`: the world in a box, a tour of it, and up until Ctrl-C. */
import { Listr } from 'listr2';
import { listStyle } from './list-style.ts';
import { parseOptions, type QuickstartOptions } from './quickstart-options.ts';
import { nextSteps } from './next-steps.ts';
import { startWorld, WorldIsUp, type StartingWorld } from './world.ts';
import { readWorldFile, type WorldFile } from './world-file.ts';

/** Set as soon as there is something to stop. */
let starting: StartingWorld | undefined;
let ending: Promise<never> | undefined;

const options = parseOptions(process.argv.slice(2));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A tour that was cut short has not shown that everything works.
  process.on(signal, () => void end(options.once ? 1 : 0, `\nStopping (${signal})`));
}
process.on('uncaughtException', (error) => void end(1, `\n${error.stack ?? error.message}`));
process.on('unhandledRejection', (reason) => void end(1, `\n${String(reason)}`));
// Whoever reads our output may go away (a closed terminal, `| head`); the world stays.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

try {
  await main(options);
} catch (error) {
  if (!ending) await end(1, await explain(error, options));
}

async function main({ once, tour, stateDir, ...rest }: QuickstartOptions): Promise<void> {
  const startedAt = Date.now();
  starting = await startWorld({ stateDir, ...rest, report: (line) => console.log(line) });
  await showParts(starting);
  const world = await starting.ready;
  console.log(`The world is up after ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
  const toured = tour ? await showAround(world, once) : undefined;
  if (once) await end(0, 'Stopping', toured?.lastLine);
  console.log(nextSteps(world, stateDir, toured?.checkoutUrl));
}

async function showParts({ parts }: StartingWorld): Promise<void> {
  const tasks = parts.map(({ title, done }) => ({
    title,
    task: async (_: unknown, task: { title: string }) => {
      // The reason is told once, by whoever awaits `ready`.
      task.title = await done.catch(() => Promise.reject(new Error('did not start')));
    },
  }));
  await new Listr(tasks, { ...listStyle(), concurrent: true }).run().catch(() => undefined);
}

/** A tour that fails leaves the world up for a look around, unless it is all there is to do. */
async function showAround(world: WorldFile, once: boolean) {
  try {
    // Loaded late: mail clients are not needed to bring the world up.
    const { runTour } = await import('./tour/index.ts');
    return await runTour(world);
  } catch (error) {
    if (once || ending) throw error;
    console.error(`The tour stopped: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function end(code: number, line: string, lastLine?: string): Promise<never> {
  ending ??= (async () => {
    console.log(line);
    try {
      await starting?.stop();
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
    if (lastLine) console.log(lastLine);
    process.exit(code);
  })();
  return ending;
}

async function explain(error: unknown, { stateDir }: QuickstartOptions): Promise<string> {
  const words = error instanceof Error ? error.message : String(error);
  if (!(error instanceof WorldIsUp)) return `${words}\nLogs are in ${stateDir}/logs`;
  const world = await readWorldFile(stateDir);
  const where = world ? ` Its API is at ${world.api}.` : ' It is still starting.';
  return `${words}${where}\nStop it by Ctrl-C, or choose another folder by --state-dir.`;
}
