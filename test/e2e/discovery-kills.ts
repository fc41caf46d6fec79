/** A discovery whose worker dies again and again; the full size: `npm run drill -- discovery-kills`. */
import { expect, test } from 'vitest';
import { mintJwt } from '../../src/dev/tokens.ts';
import { problemsOf, runDrill, type DrillWorld } from '../chaos/discovery-drill.ts';
import { supply, type ControlApi } from '../chaos/discovery-supply.ts';
import type { SharedWorld } from './shared-world.ts';

const LEADS = 120;
const KILLS = 2;

/** Another one with DRILL_SEED=n. */
const seed = Number(process.env['DRILL_SEED'] ?? 1);

export function discoveryKillTests(world: () => SharedWorld): void {
  test(`a discovery of ${LEADS} leads with ${KILLS} kills of the worker (seed ${seed}) ends complete, exact, and buys nothing twice`, async () => {
    const { searchTerm, work } = await supply(controlOf(world()), LEADS, `e2e${seed}`);
    const drilled = await enter(world());
    const report = () => undefined;
    const drill = { searchTerm, leads: LEADS, kills: KILLS, seed, work, report };
    const result = await runDrill(drilled, drill);
    expect(await problemsOf(drilled, result)).toEqual([]);
    expect(result.kills).toBe(KILLS);
  });
}

async function enter(shared: SharedWorld): Promise<DrillWorld> {
  const { file, running, db, temporal } = shared;
  return {
    api: file.api,
    token: await mintJwt(file.jwtSecret, 'discovery-drill'),
    db,
    temporal,
    control: controlOf(shared),
    worker: async () => {
      const { pids, metrics } = await running.read();
      return { pid: pids['worker']!, readyUrl: new URL('/ready', metrics.worker).href };
    },
  };
}

const controlOf =
  (shared: SharedWorld): ControlApi =>
  (method, path, body) =>
    shared.control(method, path, body);
