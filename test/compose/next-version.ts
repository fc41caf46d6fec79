/** An image of the next version: its migrations, then the API, then the workers, while clusters are ordered. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../src/dev/processes/processes.ts';
import type { Tour } from '../../src/dev/tour/tour.ts';
import { makeSecondVersion } from '../cluster/second-version.ts';
import { EXPECTED, UP_ONLY, UP_WORKERS, WELL_MS, type Rehearsal } from './stage.ts';
import { API, OUTLET_PORT } from './settings.ts';
import { beginCluster, compareBooks } from './work.ts';

const TAG = 'outreach:next';
const NEXT = { OUTREACH_IMAGE: TAG };
const ASK_EVERY_MS = 100;

export async function rollNextVersion(rehearsal: Rehearsal, tour: Tour): Promise<void> {
  const { project, report } = rehearsal;
  await report.step('build of the next version', async () => {
    await buildNext(rehearsal);
    return [undefined, TAG];
  });
  await report.step('the next version is rolled out', async () => {
    const away = await whileWatching(async () => {
      const before = await beginCluster(tour);
      await project.compose(['run', '--rm', '--no-deps', 'migrate'], NEXT);
      await project.compose([...UP_ONLY, 'api'], NEXT);
      const between = await beginCluster(tour);
      await project.compose(UP_WORKERS, NEXT);
      await project.settled(WELL_MS, EXPECTED);
      await before.done();
      await between.done();
    });
    const wanted = (await project.docker('image', 'inspect', '-f', '{{.Id}}', TAG)).trim();
    const old = (await project.containers()).filter(
      ({ service, image }) => ['api', 'worker'].includes(service) && image !== wanted,
    );
    if (old.length > 0) throw new Error(`still of before: ${old.map(({ name }) => name).join()}`);
    const books = await compareBooks(tour);
    return [undefined, `the one API away for ${away} s, both clusters active; ${books}`];
  });
}

async function buildNext({ project }: Rehearsal): Promise<void> {
  const next = await makeSecondVersion({ isPatched: true });
  try {
    for (const name of ['Dockerfile', '.dockerignore', '.npmrc']) {
      await cp(join(root, name), join(next.folder, name));
    }
    const outlet = `http://127.0.0.1:${OUTLET_PORT}`;
    const proxy = ['--build-arg', `HTTPS_PROXY=${outlet}`, '--build-arg', `https_proxy=${outlet}`];
    await project.docker('build', '-q', '--network', 'host', ...proxy, '-t', TAG, next.folder);
  } finally {
    await next.remove();
  }
}

/** How long, at most, the API did not answer meanwhile, in seconds. */
async function whileWatching(work: () => Promise<void>): Promise<string> {
  let longest = 0;
  let since: number | undefined;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const signal = AbortSignal.timeout(2_000);
      const answer = await fetch(`${API}/health`, { signal }).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok) since = undefined;
      else longest = Math.max(longest, Date.now() - (since ??= Date.now()));
      await sleep(ASK_EVERY_MS);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await watching;
  }
  return (longest / 1_000).toFixed(1);
}
