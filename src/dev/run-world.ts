/** A world in the foreground: up until Ctrl-C, and stopped whatever happens. */
import { Listr } from 'listr2';
import { listStyle } from './list-style.ts';
import { startWorld, WorldIsUp, type StartingWorld, type WorldOptions } from './world.ts';
import { readWorldFile, type WorldFile } from './world-file.ts';

/** What a command does with its world. */
export interface RunningWorld {
  world: WorldFile;
  restart: StartingWorld['restart'];
  /** True as soon as stopping has begun. */
  isEnding: () => boolean;
  /** Prints `line`, stops the world, prints `lastLine` and ends the process. */
  end: (code: number, line: string, lastLine?: string) => Promise<never>;
}

export interface WorldRun {
  options: Omit<WorldOptions, 'report'>;
  /** The exit code after a signal. */
  interruptedCode: number;
  /** Called once when the world is up. The process stays until a signal, or `end`. */
  use: (running: RunningWorld) => Promise<void>;
}

/** Starts a world, shows its parts as they come up, and hands it to `use`. */
export async function runWorld({ options, interruptedCode, use }: WorldRun): Promise<void> {
  /** Set as soon as there is something to stop. */
  let starting: StartingWorld | undefined;
  let ending: Promise<never> | undefined;
  const end: RunningWorld['end'] = (code, line, lastLine) =>
    (ending ??= stopAndExit(() => starting?.stop(), { code, line, lastLine }));

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void end(interruptedCode, `\nStopping (${signal})`));
  }
  process.on('uncaughtException', (error) => void end(1, `\n${error.stack ?? error.message}`));
  process.on('unhandledRejection', (reason) => void end(1, `\n${String(reason)}`));
  // The reader of our output may disappear (a closed terminal, `| head`); the world stays up.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);

  try {
    const startedAt = Date.now();
    starting = await startWorld({ ...options, report: (line) => console.log(line) });
    await showParts(starting);
    const world = await starting.ready;
    console.log(`The world is up after ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
    const { restart } = starting;
    await use({ world, restart, isEnding: () => ending !== undefined, end });
  } catch (error) {
    if (!ending) await end(1, await explain(error, options.stateDir));
  }
}

async function showParts({ parts }: StartingWorld): Promise<void> {
  const tasks = parts.map(({ title, done }) => ({
    title,
    task: async (_: unknown, task: { title: string }) => {
      // The reason is reported once, by the caller that awaits `ready`.
      task.title = await done.catch(() => Promise.reject(new Error('did not start')));
    },
  }));
  await new Listr(tasks, { ...listStyle(), concurrent: true }).run().catch(() => undefined);
}

async function stopAndExit(
  stop: () => Promise<void> | undefined,
  { code, line, lastLine }: { code: number; line: string; lastLine: string | undefined },
): Promise<never> {
  console.log(line);
  try {
    await stop();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
  if (lastLine) console.log(lastLine);
  process.exit(code);
}

async function explain(error: unknown, stateDir: string): Promise<string> {
  const words = error instanceof Error ? error.message : String(error);
  if (!(error instanceof WorldIsUp)) return `${words}\nLogs are in ${stateDir}/logs`;
  const world = await readWorldFile(stateDir);
  const where = world ? ` Its API is at ${world.api}.` : ' It is still starting.';
  return `${words}${where}\nStop it by Ctrl-C, or choose another folder by --state-dir.`;
}
