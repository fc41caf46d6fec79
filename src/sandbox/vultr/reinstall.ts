/** An instance's disk is wiped and its system installed anew; the instance and its address stay. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Router, type Request } from 'express';
import { lateMs, loseAnswer } from '../vendor-router.ts';
import { machineId, type Shop } from './instances.ts';
import { shownInstance } from './shown-instance.ts';
import { statesOf, type Instance } from './vendor-records.ts';
import { refuse } from './wire.ts';

/** Time until it begins (the instance looks well meanwhile), and until the new system's kernel is up. */
const BEGIN_MS = 1_000;
const INSTALLING_MS = 2_000;

/** A reinstall with the fault `lag` is the unkind one: its answer never comes, and it begins after that time. */
export function reinstallRoutes(shop: Shop): Router {
  const router = Router();
  router.post('/instances/:id/reinstall', (request, response) => {
    const instance = find(shop, request);
    const { reinstalledAtMs = 0 } = instance;
    if (statesOf(instance).server_status !== 'ok' || reinstalledAtMs > Date.now()) {
      throw refuse(400, 'This server is currently locked. Please try again later.');
    }
    if (lateMs(request) > 0) {
      void sleep(lateMs(request)).then(() => reinstall(shop, find(shop, request)));
      loseAnswer(request);
    } else reinstall(shop, instance);
    response.status(202).json({ instance: shownInstance(find(shop, request)) });
  });
  return router;
}

function find({ vendorRecords }: Shop, request: Request): Instance {
  const instance = vendorRecords.instances().find((each) => each.id === request.params['id']);
  if (instance === undefined) throw refuse(404, 'Invalid instance ID.');
  return instance;
}

/** The instance's user-data of that moment, and its keys as they are now. */
function reinstall({ core, vendorRecords, hosts }: Shop, instance: Instance): void {
  const { ipv4, userData = '', sshKeyIds = [], reinstalls = 0 } = instance;
  const reinstalledAtMs = Date.now() + BEGIN_MS / core.options.pace;
  const runningAtMs = reinstalledAtMs + INSTALLING_MS / core.options.pace;
  vendorRecords.putInstance({
    ...instance,
    reinstalledAtMs,
    runningAtMs,
    reinstalls: reinstalls + 1,
  });
  const keys = vendorRecords.sshKeys().filter(({ id }) => sshKeyIds.includes(id));
  const authorizedKeys = keys.map(({ ssh_key }) => ssh_key);
  const id = machineId(instance.id);
  void sleep(reinstalledAtMs - Date.now()).then(() =>
    hosts.reinstall({ id, ipv4, authorizedKeys, userData, runningAtMs }),
  );
}
