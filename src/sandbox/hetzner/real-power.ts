/** The power button of servers that really run (`--vps real`). */
import { Router } from 'express';
import { newAction, shownAction } from './actions.ts';
import { machineId, type Shop } from './servers.ts';
import { idOf, notFound, refuse } from './wire.ts';

const ACTION_MS = 200;
/** Hetzner's names: `reboot` asks the system, `reset` pulls the plug. */
const HOW = { reboot: 'shut-down', reset: 'power-off' } as const;

export function powerRoutes(shop: Shop): Router {
  const { vendorRecords, hosts } = shop;
  const router = Router();
  for (const [command, how] of Object.entries(HOW)) {
    router.post(`/servers/:id/actions/${command}`, async (request, response) => {
      const id = idOf(request, 'server');
      if (!vendorRecords.servers().some((server) => server.id === id)) throw notFound('server', id);
      if (hosts.restart === undefined) {
        throw refuse(422, 'unsupported_error', 'simulated servers have no power button');
      }
      await hosts.restart(machineId(id), how);
      const begun = { command: `${command}_server`, serverId: id, durationMs: ACTION_MS };
      const action = newAction(shop, begun);
      response.status(201).json({ action: shownAction(action) });
    });
  }
  return router;
}
