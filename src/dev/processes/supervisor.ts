/** Keeps the world's processes alive: starts them, restarts what dies, stops them in order. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileTail } from './file-tail.ts';
import { endProcess, isAlive } from './process-identity.ts';

/** A first start that takes longer than this has failed. */
const startTimeoutMs = 120_000;

/** A process that dies sooner than this after its start is restarted with growing delays. */
const quickDeathMs = 5_000;
const longestPauseMs = 5_000;

/** After this many quick deaths before the first answer, the start has failed. */
const quickDeathsAllowed = 3;

/** Longer than the worker's own grace period for work in flight. */
const stopPatienceMs = 30_000;

/** A person waits for the restart. An attached debugger delays it up to this time. */
const restartPatienceMs = 5_000;

/** Logs grow over many runs; a larger one is renamed (`.1`) at start. */
const maxLogBytes = 5 * 1024 * 1024;

export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  uid?: number;
  gid?: number;
  /** What has to be done before each start that somebody asks for. */
  prepare?(): Promise<void>;
  /** True when it is ready; called repeatedly, never rejects. */
  answers(): Promise<boolean>;
  stopSignal: NodeJS.Signals;
  /** A process of an earlier run that is adopted instead of started. */
  running?: number;
}

export interface Supervisor {
  /** Resolves when the process answers; from then on it is restarted whenever it dies. */
  start(spec: ProcessSpec): Promise<void>;
  /**
   * Ends a process, cancels a pending restart, and starts it at once; resolves when it answers, rejects
   * with the end of its log when it dies first (it is then restarted as always).
   */
  restart(name: string): Promise<void>;
  pids(): Record<string, number>;
  /**
   * Stops groups of processes by name, one group after the other; from then on nothing is restarted.
   */
  stop(groups: string[][]): Promise<void>;
}

interface Watched {
  spec: ProcessSpec;
  pid: number;
  startedAt: number;
  quickDeaths: number;
  /** Aborting it starts the process at once; absent while it runs. */
  pause?: AbortController | undefined;
  /** A requested restart: its end does not count as a death. */
  isAsked?: boolean;
  /** Resolves with how the process ended. */
  ended: Promise<string>;
}

export function createSupervisor(options: {
  logsDir: string;
  report: (line: string) => void;
  /** Called whenever a process has a new pid. */
  changed: () => void;
}): Supervisor {
  const { logsDir, report, changed } = options;
  const watched = new Map<string, Watched>();
  let stopping = false;
  mkdirSync(logsDir, { recursive: true, mode: 0o700 });

  const keepUp = async (process: Watched): Promise<void> => {
    for (;;) {
      const how = await process.ended;
      const pause = (process.pause = new AbortController());
      const quick = !process.isAsked && Date.now() - process.startedAt < quickDeathMs;
      process.quickDeaths = quick ? process.quickDeaths + 1 : 0;
      const pauseMs = Math.min(longestPauseMs, 250 * 2 ** process.quickDeaths);
      if (!stopping && !process.isAsked)
        report(`${process.spec.name} (process ${process.pid}) ${how}; restarting it`);
      const waited = sleep(quick ? pauseMs : 0, undefined, { signal: pause.signal });
      await waited.catch(() => undefined);
      if (stopping) return;
      process.pause = undefined;
      process.isAsked = false;
      const { running: _adopted, ...spec } = process.spec;
      Object.assign(process, launch(spec, logsDir), { startedAt: Date.now() });
      changed();
      void tellWhenBack(process);
    }
  };

  const tellWhenBack = async (process: Watched): Promise<void> => {
    const { pid, spec } = process;
    while (!stopping && process.pid === pid) {
      if (await spec.answers()) return report(`${spec.name} answers again (process ${pid})`);
      await sleep(200);
    }
  };

  const untilAnswers = async (process: Watched, isLost: () => boolean): Promise<void> => {
    const { spec } = process;
    const deadline = Date.now() + startTimeoutMs;
    while (!(await spec.answers())) {
      if (stopping) throw new Error(`${spec.name} was stopped before it answered.`);
      if (isLost() || Date.now() > deadline) {
        const words = await fileTail(logFile(logsDir, spec.name), 15);
        throw new Error(`${spec.name} does not start. Its log ends with:\n${words}`);
      }
      await sleep(50);
    }
  };

  return {
    async start(spec) {
      await spec.prepare?.();
      rotate(logFile(logsDir, spec.name));
      const launched = launch(spec, logsDir);
      const process = { spec, ...launched, startedAt: Date.now(), quickDeaths: 0 };
      watched.set(spec.name, process);
      changed();
      void keepUp(process);
      await untilAnswers(process, () => process.quickDeaths >= quickDeathsAllowed);
    },
    async restart(name) {
      const process = watched.get(name);
      if (!process) throw new Error(`${name} is not among the processes.`);
      await process.spec.prepare?.();
      const { pid, spec } = process;
      process.isAsked = true;
      // A process that waits for its restart is dead, and its pid may be reused by now.
      if (process.pause) process.pause.abort();
      else await endProcess(pid, spec.stopSignal, restartPatienceMs);
      while (process.pid === pid && !stopping) await sleep(10);
      const { pid: next } = process;
      await untilAnswers(process, () => process.pid !== next || process.pause !== undefined);
    },
    pids: () => Object.fromEntries([...watched].map(([name, { pid }]) => [name, pid])),
    async stop(groups) {
      stopping = true;
      for (const names of groups) {
        const group = names.map((name) => watched.get(name)).filter((found) => found?.pid);
        await Promise.all(
          group.map((one) => endProcess(one!.pid, one!.spec.stopSignal, stopPatienceMs)),
        );
      }
    },
  };
}

function launch(spec: ProcessSpec, logsDir: string): { pid: number; ended: Promise<string> } {
  if (spec.running !== undefined) {
    return { pid: spec.running, ended: endOfAdopted(spec.running) };
  }
  const { child, ended } = spawnLogged(spec, logFile(logsDir, spec.name));
  return { pid: child.pid ?? 0, ended };
}

/** Starts a process that writes to a file; `ended` resolves with a text such as `ended with code 0`. */
export function spawnLogged(
  { command, args, env, cwd, uid, gid }: ProcessSpec,
  file: string,
): { child: ChildProcess; ended: Promise<string> } {
  const log = openSync(file, 'a', 0o600);
  const child = spawn(command, args, {
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
    env,
    cwd,
    stdio: ['ignore', log, log],
    // Ctrl-C reaches only the supervisor, which stops the others in the right order.
    detached: true,
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started (${error.message})`));
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`));
  });
  return { child, ended };
}

/** There is no event for the death of a process that is not our child. */
async function endOfAdopted(pid: number): Promise<string> {
  while (isAlive(pid)) await sleep(100, undefined, { ref: false });
  return 'ended';
}

const logFile = (logsDir: string, name: string) => join(logsDir, `${name}.log`);

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxLogBytes) renameSync(file, `${file}.1`);
}
