/**
 * A worker dies while a host is made anew, from the reinstall to the end: the rebuild is finished by another one, with
 * one reinstall, and no message is lost or there twice. The flow matrix draws from these; here are all of them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultKind } from '../support/provisioning/fault-injector.ts';
import { startFlowWorld, type FlowWorld } from '../support/provisioning/flow-world.ts';
import { createLimit } from '../support/provisioning/matrix-scope.ts';
import { VENDOR_PAIRS } from '../support/provisioning/vendor-pairs.ts';

const NAME = 'rebuild a host' as const;
const limited = createLimit(6);
let matrix: FlowWorld;
let cases = 0;

beforeAll(async () => {
  matrix = await startFlowWorld();
}, 180_000);
afterAll(() => matrix?.close());

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
      const { run, flows } = matrix;
      const one = { name: NAME, flow: flows[NAME], kind, at, undo: 'once' as const, vendors };
      const index = (cases += 1);
      expect(await limited(() => run.runCase({ ...one, index }))).toEqual([]);
    },
    300_000,
  );
});
