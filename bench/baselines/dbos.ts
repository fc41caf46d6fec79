/** The peer of P17, seen from the bench: jobs are enqueued here and begun by a worker in another process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DBOSClient } from '@dbos-inc/dbos-sdk';
import PQueue from 'p-queue';

export interface Peer {
  /** Seconds from the first order to the beginning of the last job's first step. */
  startJobs(count: number, atOnce: number): Promise<number>;
  stop(): Promise<void>;
}

/** As `dbos-worker.ts` names them: importing it would start one. */
const JOB = { queueName: 'jobs', workflowName: 'job' };
const GIVE_UP_MS = 120_000;

export async function startDbos(databaseUrl: string): Promise<Peer> {
  const child = fork(new URL('dbos-worker.ts', import.meta.url), [databaseUrl], {
    execArgv: ['--import', 'tsx'],
  });
  const [ready] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[];
  if (ready !== 'ready') throw new Error(`the worker of DBOS ended with ${String(ready)}`);
  const client = await DBOSClient.create({
    systemDatabaseUrl: databaseUrl,
    applicationName: 'bench',
  });
  const look = async () => {
    child.send('steps');
    return ((await once(child, 'message')) as [{ steps: number; lastAt: number }])[0];
  };
  return {
    async startJobs(count, atOnce) {
      const { steps: before } = await look();
      const queue = new PQueue({ concurrency: atOnce });
      const begun = Date.now();
      for (let n = 0; n < count; n += 1) void queue.add(() => client.enqueue(JOB));
      await queue.onIdle();
      for (;;) {
        const { steps, lastAt } = await look();
        if (steps - before >= count) return (lastAt - begun) / 1_000;
        if (Date.now() > begun + GIVE_UP_MS) throw new Error(`DBOS began ${steps - before} jobs`);
        await sleep(50);
      }
    },
    async stop() {
      await client.destroy();
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
