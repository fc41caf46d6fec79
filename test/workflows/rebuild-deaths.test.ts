/**
 * A worker dies while a host is made anew, from the reinstall to the end: the rebuild is finished by another one, with
 * one reinstall, and no message is lost or there twice. The flow matrix draws from these; here are all of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { injectFaults, type FaultKind, type Plan } from '../support/provisioning/fault-injector.ts';
import { createFlowRunner, type Meetings } from '../support/provisioning/flow-runner.ts';
import { createFlows, FLOW_ENVIRONMENT, type Flow } from '../support/provisioning/flow-subjects.ts';
import { createLimit } from '../support/provisioning/matrix-scope.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';
import { withDeaths } from '../support/provisioning/vendor-deaths.ts';
import { VENDOR_PAIRS } from '../support/provisioning/vendor-pairs.ts';

const NAME = 'rebuild a host';
const limited = createLimit(6);
const folder = mkdtempSync(join(tmpdir(), 'outreach-backups-'));
const plans = new Map<number, Plan>();
const meetings: Meetings = new Map();
let world: ProvisioningWorld;
let flow: Flow;
let cases = 0;

beforeAll(async () => {
  world = await startProvisioningWorld({
    environment: { ...FLOW_ENVIRONMENT, HOST_BACKUP_DIR: folder },
    wrap: (activities) => injectFaults(activities, plans),
    outside: withDeaths,
    beforeStart: (operation) => {
      meetings.get(operation.summary)?.(operation);
      meetings.delete(operation.summary);
    },
  });
  flow = (await createFlows(world))[NAME]!;
}, 120_000);
afterAll(async () => {
  await world?.close();
  rmSync(folder, { recursive: true });
});

const PLACES = [
  'host_backup',
  'server_reinstall',
  'first_boot.close',
  'host_restore.backup',
  'host_restore.merge',
  'host_verify',
  'host_verify.open',
];
/** After the host's or the vendor's effect, before it is noted; after the note, before anybody is told. */
const DEATHS: readonly FaultKind[] = ['dies_before_record', 'dies_after_effect'];

describe.each(VENDOR_PAIRS)('a worker that dies, at $vps', (vendors) => {
  const all = PLACES.flatMap((at) => DEATHS.map((kind) => [at, kind] as const));
  it.concurrent.each(all)(
    'at %s (%s): the rebuild goes on',
    async (at, kind) => {
      const run = createFlowRunner(world, meetings, plans);
      const one = { name: NAME, flow, kind, at, undo: 'once' as const, vendors };
      const index = (cases += 1);
      expect(await limited(() => run.runCase({ ...one, index }))).toEqual([]);
    },
    300_000,
  );
});
