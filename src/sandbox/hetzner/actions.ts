/** Actions: what Hetzner is doing, or has done, with a server. */
import { Router } from 'express';
import type { SandboxCore } from '../core.ts';
import type { Action, HetznerRecords } from './vendor-records.ts';
import { idOf, notFound, paged, refuse } from './wire.ts';

/** Records an action that succeeds after `durationMs` (world time). */
export function newAction(
  { core, vendorRecords }: { core: SandboxCore; vendorRecords: HetznerRecords },
  command: string,
  serverId: number,
  durationMs: number,
): Action {
  const startedAtMs = Date.now();
  const finishesAtMs = startedAtMs + durationMs / core.options.pace;
  const action = {
    id: vendorRecords.nextId('actions'),
    command,
    serverId,
    startedAtMs,
    finishesAtMs,
  };
  vendorRecords.putAction(action);
  return action;
}

/** The action in the vendor's form. */
export function shownAction(action: Action) {
  const { id, command, serverId, startedAtMs, finishesAtMs } = action;
  const finished = Date.now() >= finishesAtMs;
  return {
    id,
    command,
    status: finished ? 'success' : 'running',
    progress: finished ? 100 : 0,
    started: new Date(startedAtMs).toISOString(),
    finished: finished ? new Date(finishesAtMs).toISOString() : null,
    resources: [{ id: serverId, type: 'server' }],
    error: null,
  };
}

export function actionRoutes(vendorRecords: HetznerRecords): Router {
  const router = Router();

  // The list form takes only ids.
  router.get('/actions', (request, response) => {
    const ids = [request.query['id'] ?? []].flat().map(String);
    if (ids.length === 0) throw refuse(410, 'deprecated_api_endpoint', 'query by id is required');
    const found = vendorRecords.actions().filter((action) => ids.includes(String(action.id)));
    response.json({ actions: found.map(shownAction) });
  });

  router.get(['/actions/:id', '/servers/actions/:id'], (request, response) => {
    const id = idOf(request, 'action');
    const action = vendorRecords.actions().find((each) => each.id === id);
    if (action === undefined) throw notFound('action', id);
    response.json({ action: shownAction(action) });
  });

  router.get('/servers/:id/actions', (request, response) => {
    const id = idOf(request, 'server');
    const found = vendorRecords.actions().filter((action) => action.serverId === id);
    response.json(paged('actions', found.map(shownAction), request));
  });
  return router;
}
