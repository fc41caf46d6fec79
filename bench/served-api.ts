/** An API process of `bench/`, and the cost of a load. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { sendRequests } from './http-load.ts';

export interface ServedApi {
  port: number;
  /** Microseconds of CPU that the process has used. */
  cpu(): Promise<number>;
  /** Requests a second, and microseconds of CPU of the process for each. */
  load(request: {
    next: () => string;
    status: number;
    count: number;
    connections: number;
  }): Promise<{ perSecond: number; ownCpu: number }>;
  stop(): void;
}

/** `loaded`: modules that the process loads before; `environment`: beside that of the bench. */
export async function serveApi(
  file: string,
  args: readonly string[],
  { environment = {}, loaded = [] }: { environment?: NodeJS.ProcessEnv; loaded?: string[] } = {},
): Promise<ServedApi> {
  const child = fork(new URL(file, import.meta.url), args, {
    execArgv: ['tsx', ...loaded].flatMap((name) => ['--import', name]),
    env: { ...process.env, ...environment },
    // Its log is written, and read by nobody.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof ready[0] !== 'object') throw new Error(`${file} ended before it listened`);
  const [{ port }] = ready as [{ port: number }];
  const cpu = async () => {
    child.send('cpu');
    const [message] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }];
    return message.cpu.user + message.cpu.system;
  };
  return {
    port,
    cpu,
    async load({ next, status, count, connections }) {
      const before = await cpu();
      const target = { host: '127.0.0.1', port, connections };
      const seconds = await sendRequests(target, count, { next, status });
      return { perSecond: count / seconds, ownCpu: ((await cpu()) - before) / count };
    },
    stop: () => child.disconnect(),
  };
}
