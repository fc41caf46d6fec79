/** Each container dies once, by kill -9 of its first process, while a cluster is being ordered. */
import { kill } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tour } from '../../src/dev/tour/tour.ts';
import type { Container } from './project.ts';
import { EXPECTED, WELL_MS, type Rehearsal } from './stage.ts';
import { beginCluster, compareBooks } from './work.ts';

const BACK_MS = 120_000;

export async function killEach({ project, report }: Rehearsal, tour: Tour): Promise<void> {
  const running = (await project.containers()).filter(({ status }) => status === 'running');
  for (const victim of running) {
    await report.step(`kill -9 of ${victim.name.replace('outreach-', '')}`, async () => {
      const work = await beginCluster(tour);
      await sleep(1_000);
      const killed = Date.now();
      kill(victim.pid, 'SIGKILL');
      await restarted(victim);
      await project.settled(WELL_MS, EXPECTED);
      const back = Math.round((Date.now() - killed) / 1_000);
      const seconds = await work.done();
      return [
        undefined,
        `healthy again after ${back} s; the cluster under way active after ${seconds} s`,
      ];
    });
  }
  await report.step('books', async () => [undefined, await compareBooks(tour)]);

  async function restarted(victim: Container): Promise<void> {
    const deadline = Date.now() + BACK_MS;
    for (;;) {
      const now = (await project.containers()).find(({ id }) => id === victim.id);
      if (now && now.restarts > victim.restarts && now.pid !== victim.pid) return;
      if (Date.now() > deadline) throw new Error(`${victim.name} did not come back`);
      await sleep(250);
    }
  }
}
