/** A server's disk is overwritten with an image; the server, its address and its records stay. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Router, type Request } from 'express';
import { z } from 'zod';
import { failsLater, lateMs, loseAnswer } from '../vendor-router.ts';
import { newAction, shownAction } from './actions.ts';
import { findByIdOrName, IMAGES } from './catalogue.ts';
import { checked } from './labels.ts';
import { machineId, type Shop } from './servers.ts';
import { statusOf, type Action, type RentedServer } from './vendor-records.ts';
import { idOf, invalidInput, notFound, refuse } from './wire.ts';

/** Time until the disk is written, and until the new system's kernel is up. */
const REBUILDING_MS = 2_000;
const STARTING_MS = 500;
const USER_DATA_BYTES = 32 * 1024;

const rebuildShape = z.object({
  image: z.string(),
  user_data: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= USER_DATA_BYTES, 'must be at most 32 KiB')
    .optional(),
});
type Wanted = z.infer<typeof rebuildShape>;

const FAILED = { code: 'action_failed', message: 'Action failed' };

/** A rebuild with the fault `lag` is the unkind one: its answer never comes, and it begins after that time. */
export function rebuildRoutes(shop: Shop): Router {
  const router = Router();
  router.post('/servers/:id/actions/rebuild', async (request, response) => {
    const wanted = checked(rebuildShape, request.body);
    const image = findByIdOrName(IMAGES, wanted.image);
    if (image === undefined) throw invalidInput('image', 'image does not exist');
    const server = find(shop, request);
    if (!['running', 'off'].includes(statusOf(server))) {
      throw refuse(423, 'locked', 'Item is currently locked by another action');
    }
    const fails = failsLater(request);
    if (!fails && lateMs(request) > 0) {
      void sleep(lateMs(request)).then(() => rebuild(shop, find(shop, request), wanted));
      loseAnswer(request);
      response.status(201).json({});
      return;
    }
    const action = fails
      ? newAction(shop, { ...begunOn(server), error: FAILED })
      : await rebuild(shop, server, wanted);
    response.status(201).json({ action: shownAction(action), root_password: null });
  });
  return router;
}

const begunOn = ({ id }: RentedServer) => ({
  command: 'rebuild_server',
  serverId: id,
  durationMs: REBUILDING_MS,
});

function find({ vendorRecords }: Shop, request: Request): RentedServer {
  const id = idOf(request, 'server');
  const server = vendorRecords.servers().find((each) => each.id === id);
  if (server === undefined) throw notFound('server', id);
  return server;
}

/** The keys and, where it is given no other one, the user-data of the order are used again. */
async function rebuild(shop: Shop, server: RentedServer, wanted: Wanted): Promise<Action> {
  const { core, vendorRecords, hosts } = shop;
  const action = newAction(shop, begunOn(server));
  const rebuiltAtMs = action.finishesAtMs;
  const runningAtMs = rebuiltAtMs + STARTING_MS / core.options.pace;
  const { authorizedKeys = [], ipv4 } = server;
  const userData = wanted.user_data ?? server.userData ?? '';
  vendorRecords.putServer({ ...server, userData, rebuiltAtMs, runningAtMs });
  const id = machineId(server.id);
  await hosts.reinstall({ id, ipv4, authorizedKeys, userData, runningAtMs });
  return action;
}
