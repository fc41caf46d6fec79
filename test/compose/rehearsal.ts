/** What a deployment by compose goes through, in its order; `slice` leaves out what takes minutes. */
import { createTour } from '../../src/dev/tour/tour.ts';
import { createApiKey } from '../../src/dev/tour/api-key.ts';
import { provisionCluster } from '../../src/dev/tour/cluster.ts';
import { createMailboxes } from '../../src/dev/tour/mailboxes.ts';
import { sendMessage } from '../../src/dev/tour/message.ts';
import { fundWallet } from '../../src/dev/tour/wallet.ts';
import { join } from 'node:path';
import { inspectContainment } from './containment.ts';
import { killEach } from './kill-each.ts';
import { rollNextVersion } from './next-version.ts';
import { checkOperatorPages } from './operator-pages.ts';
import { putBackDump } from './put-back.ts';
import { API, SANDBOX } from './settings.ts';
import { EXPECTED, UP, WELL_MS, type Rehearsal } from './stage.ts';
import { orderCluster, readAccount } from './work.ts';
import { bringUpWorld } from './world.ts';

export async function rehearse(rehearsal: Rehearsal): Promise<void> {
  const { project, report, slice, built } = rehearsal;
  await report.step('docker compose build', async () => {
    if (!built) await project.compose(['build']);
    const size = await project.docker('image', 'inspect', '-f', '{{.Size}}', 'outreach:local');
    const how = built ? 'as built before' : 'built';
    return [undefined, `outreach:local ${how}, ${Math.round(Number(size) / 1_000_000)} MB`];
  });
  await report.step('docker compose up --detach --scale worker=3', async () => {
    await project.compose(UP);
    await project.settled(WELL_MS, EXPECTED);
    const names = (await project.containers()).map(({ name }) => name.replace('outreach-', ''));
    return [undefined, `every job ended with 0, every service is healthy: ${names.join(', ')}`];
  });
  await report.step('containment', async () => [undefined, await inspectContainment(project)]);
  await report.step('operators', async () => [undefined, await checkOperatorPages(rehearsal)]);
  const tour = await walkMainPath(rehearsal);
  if (!slice) {
    await killEach(rehearsal, tour);
    await report.step('docker compose restart', async () => {
      await project.compose(['restart', '--timeout', '35']);
      await project.settled(WELL_MS, EXPECTED);
      const { seconds } = await orderCluster(tour);
      return [undefined, `everybody healthy again, a cluster active ${seconds} s after`];
    });
    await rollNextVersion(rehearsal, tour);
  }
  await report.step('docker compose down, up', async () => {
    const before = await readAccount(tour);
    await project.compose(['down', '--timeout', '35']);
    await project.compose(UP);
    await project.settled(WELL_MS, EXPECTED);
    const after = await readAccount(tour);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      throw new Error(`${JSON.stringify(before)} before, ${JSON.stringify(after)} after`);
    }
    const { seconds } = await orderCluster(tour);
    const kept = `${after.clusters.length} clusters, ${after.mailboxes} mailboxes, ${after.balanceCents} cents`;
    return [undefined, `${kept} are still there; one more cluster active after ${seconds} s`];
  });
  if (slice) return;
  await putBackDump(rehearsal, tour);
  await bringUpWorld(rehearsal);
}

/** The tour's main path: a client that knows nothing of containers. */
async function walkMainPath({ deployment, report, slice }: Rehearsal) {
  const { jwtSecret, sandboxDir } = deployment;
  const caFile = join(sandboxDir, 'ca.pem');
  const tour = createTour({ api: API, sandbox: SANDBOX, jwtSecret, caFile });
  const steps = [createApiKey, fundWallet, provisionCluster, createMailboxes, sendMessage];
  for (const step of steps) {
    await report.step(step.title, async () => [undefined, await step.run(tour)]);
  }
  // Each further cluster costs 41 of the 100 dollars that one payment brings.
  for (let payment = 0; payment < (slice ? 1 : 7); payment++) await fundWallet.run(tour);
  return tour;
}
