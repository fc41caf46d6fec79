/** Processes that are started, ended and replaced one by one; unrequested ends are recorded. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileTail } from '../../src/dev/processes/file-tail.ts';
import { spawnLogged, type ProcessSpec } from '../../src/dev/processes/supervisor.ts';

/** On busy cores a worker may load its code and bundle for a minute. */
const START_MS = 240_000;
/** `docs/deployment.md` promises 25 s (a worker) and 28 s (the API) until the process is gone. */
const STOP_MS = 35_000;
const POLL_MS = 200;

export interface Fleet {
  /** Resolves when it answers. */
  start(spec: ProcessSpec): Promise<void>;
  /**
   * Asks it to end and waits; throws when that takes too long or its code is not 0. Answers the
   * seconds.
   */
  end(name: string): Promise<number>;
  /** Ends it at once (SIGKILL); resolves when it is gone. */
  kill(name: string): Promise<void>;
  pid(name: string): number;
  /** Processes that ended unrequested, and how. */
  deaths: string[];
  /** Ends all that are left, the last one first. May be repeated. */
  endAll(): Promise<void>;
}

interface Running {
  spec: ProcessSpec;
  child: ChildProcess;
  isAsked: boolean;
  ended: Promise<string>;
}

export function createFleet(logsDir: string): Fleet {
  mkdirSync(logsDir, { recursive: true, mode: 0o700 });
  const running = new Map<string, Running>();
  const deaths: string[] = [];

  const end = async (name: string): Promise<string | undefined> => {
    const one = running.get(name);
    if (!one) return 'it does not run';
    one.isAsked = true;
    one.child.kill(one.spec.stopSignal);
    const how = await within(STOP_MS, one.ended);
    if (how === undefined) one.child.kill('SIGKILL');
    await one.ended;
    running.delete(name);
    return how ?? `did not end within ${STOP_MS / 1_000} s`;
  };

  return {
    deaths,
    async start(spec) {
      await spec.prepare?.();
      const log = join(logsDir, `${spec.name}.log`);
      const one: Running = { ...spawnLogged(spec, log), spec, isAsked: false };
      running.set(spec.name, one);
      let death: string | undefined;
      void one.ended.then((how) => {
        death = how;
        if (!one.isAsked) deaths.push(`${spec.name}, though not asked, ${how}`);
      });
      const deadline = Date.now() + START_MS;
      while (!(await spec.answers())) {
        if (death !== undefined || Date.now() > deadline) {
          const words = await fileTail(log, 15);
          throw new Error(`${spec.name} does not start (${death ?? 'no answer'}):\n${words}`);
        }
        await sleep(POLL_MS);
      }
    },
    async end(name) {
      const begun = Date.now();
      const how = await end(name);
      if (how !== 'ended with code 0') throw new Error(`${name} was asked to end: ${how}`);
      return (Date.now() - begun) / 1_000;
    },
    async kill(name) {
      const one = running.get(name);
      if (!one) throw new Error(`${name} does not run`);
      one.isAsked = true;
      one.child.kill('SIGKILL');
      await one.ended;
      running.delete(name);
    },
    pid(name) {
      const pid = running.get(name)?.child.pid;
      if (pid === undefined) throw new Error(`${name} does not run`);
      return pid;
    },
    async endAll() {
      for (const name of [...running.keys()].toReversed()) await end(name);
    },
  };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const limit = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    over.abort();
  }
}
