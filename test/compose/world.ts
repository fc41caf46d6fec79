/** The quickstart of somebody without Node: the world in containers, and its tour to the end. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { root } from '../../src/dev/processes/processes.ts';
import { WORLD } from './project.ts';
import type { Rehearsal } from './stage.ts';
import { buildDifferences } from './settings.ts';

const TOUR_MS = 900_000;
const POLL_MS = 2_000;

export async function bringUpWorld({ project, report, folder }: Rehearsal): Promise<void> {
  await project.compose(['down', '--volumes', '--timeout', '35']);
  const override = join(folder, 'world-override.yml');
  await writeFile(override, stringify({ services: buildDifferences() }));
  const env = join(root, 'deploy/world/compose.env');
  const world = project.beside({ override, env, name: WORLD });
  const profile = ['--profile', 'world'];
  await report.step('docker compose --profile world up', async () => {
    await world.compose([...profile, 'build']);
    await world.compose([...profile, 'up', '--detach', '--no-build']);
    const deadline = Date.now() + TOUR_MS;
    for (;;) {
      const tour = (await world.containers()).find(({ service }) => service === 'tour');
      if (tour?.status === 'exited') {
        const said = await world.compose([
          ...profile,
          'logs',
          '--no-color',
          '--no-log-prefix',
          'tour',
        ]);
        if (tour.exitCode !== 0) throw new Error(`the tour ended with ${tour.exitCode}: ${said}`);
        const steps = said.split('\n').filter((line) => line.includes('✔')).length;
        return [undefined, `the tour's ${steps} steps went well, beside the sandbox`];
      }
      if (Date.now() > deadline) throw new Error('the tour did not end');
      await sleep(POLL_MS);
    }
  });
  await world.compose([...profile, 'down', '--volumes', '--timeout', '35']);
}
