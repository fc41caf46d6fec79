/** Actions: what Hetzner is doing, or has done, with a server. */
import { Router } from 'express';
import type { SandboxCore } from '../core.ts';
import type { Action, HetznerRecords } from './vendor-records.ts';
import { idOf, notFound, paged, refuse } from './wire.ts';

export interface Begun {
  command: string;
  serverId: number;
  resource?: Action['resource'];
  /** World time. */
  durationMs: number;
  /** Set: it fails then. */
  error?: Action['error'];
}

/** Records an action that ends after `durationMs`. */
export function newAction(
  { core, vendorRecords }: { core: SandboxCore; vendorRecords: HetznerRecords },
  { durationMs, error, ...begun }: Begun,
): Action {
  const startedAtMs = Date.now();
  const finishesAtMs = startedAtMs + durationMs / core.options.pace;
  const action = {
    id: vendorRecords.nextId('actions'),
    ...begun,
    startedAtMs,
    finishesAtMs,
    ...(error && { error }),
  };
  vendorRecords.putAction(action);
  return action;
}

/** The action in the vendor's form. */
export function shownAction(action: Action) {
  const { id, command, serverId, startedAtMs, finishesAtMs } = action;
  const finished = Date.now() >= finishesAtMs;
  const error = finished ? (action.error ?? null) : null;
  return {
    id,
    command,
    status: error ? 'error' : finished ? 'success' : 'running',
    progress: finished ? 100 : 0,
    started: new Date(startedAtMs).toISOString(),
    finished: finished ? new Date(finishesAtMs).toISOString() : null,
    resources: [action.resource ?? { id: serverId, type: 'server' }],
    error,
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
    if (!vendorRecords.servers().some((server) => server.id === id)) throw notFound('server', id);
    const wanted = [request.query['status'] ?? []].flat().map(String);
    const found = vendorRecords.actions().filter((action) => action.serverId === id);
    const newestFirst = request.query['sort'] === 'id:desc';
    const shown = (newestFirst ? found.toReversed() : found)
      .map(shownAction)
      .filter(({ status }) => wanted.length === 0 || wanted.includes(status));
    response.json(paged('actions', shown, request));
  });
  return router;
}
