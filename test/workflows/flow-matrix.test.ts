/**
 * Every activity of the short flows goes wrong in every way, with the real activities; afterwards rows,
 * money and the vendors' books agree. Provisioning has a matrix of its own.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import {
  FAULT_KINDS,
  MORE_FAULT_KINDS,
  type FaultKind,
} from '../support/provisioning/fault-injector.ts';
import type { FlowCase } from '../support/provisioning/flow-runner.ts';
import type { Flow } from '../support/provisioning/flow-subjects.ts';
import { startFlowWorld, type FlowWorld } from '../support/provisioning/flow-world.ts';
import { MATRIX_FLOWS, MATRIX_ROWS } from '../support/provisioning/matrix-flows.ts';
import {
  casesOf,
  CONCURRENCY,
  isWhole,
  scope,
  createLimit,
} from '../support/provisioning/matrix-scope.ts';
import { UNDO_MODES } from '../support/provisioning/saga-case.ts';
import { readVendorRecords } from '../support/provisioning/vendor-records.ts';

/** How many cases run at a time, of all flows together. */
const limited = createLimit(CONCURRENCY);

const STRIKES: readonly FaultKind[] = [...FAULT_KINDS, ...MORE_FAULT_KINDS].filter(
  (kind) => kind !== 'all_twice',
);
/** Half of a teardown is no state to stay in, and a host that was wiped is none: nobody can give them up. */
const strikesAt = ({ isTeardown, finalStep, pastPivot }: Flow, at: string) =>
  isTeardown || (finalStep !== undefined && pastPivot?.includes(at.split('.')[0]!))
    ? STRIKES.filter((kind) => kind !== 'operator_then_compensate')
    : STRIKES;

let matrix: FlowWorld;
let cases = 0;

beforeAll(async () => {
  matrix = await startFlowWorld();
});
afterAll(() => matrix?.close());

describe('a flow in which something goes wrong', () => {
  it.concurrent.each(MATRIX_ROWS)(
    '%s: is done, or undone, or waits for a person',
    async (name) => {
      const { run, flows } = matrix;
      const flow = flows[name];
      const clean = `clean-${(cases += 1)}`;
      const activities = await limited(() => run.listActivities(flow, clean));
      expect(activities.length).toBeGreaterThan(0);
      const strikes = activities.flatMap((at) => strikesAt(flow, at).map((kind) => ({ kind, at })));
      const planned = casesOf(strikes, MATRIX_FLOWS[name].oneOf).map((one, index): FlowCase => {
        const undo = UNDO_MODES[index % UNDO_MODES.length]!;
        return { ...one, name, flow, undo, index: (cases += 1) };
      });
      const problems = await Promise.all(planned.map((one) => limited(() => run.runCase(one))));
      process.stdout.write(`flow matrix: ${name}: ${planned.length} cases (${scope})\n`);
      expect(problems.flat()).toEqual([]);
    },
    isWhole ? 7_200_000 : 600_000,
  );

  it('leaves nothing open, and every cent in its place', async () => {
    const { db } = matrix.world.context;
    const open = await db
      .selectFrom('operations')
      .select(['workflow_id', 'state'])
      .where('finished_at', 'is', null)
      .where('kind', '!=', 'syncInbox')
      .execute();
    const residue = [...open, ...(await strayServers()), ...(await auditWallets(db))];
    process.stdout.write(`flow matrix: residue ${residue.length}\n`);
    expect(residue).toEqual([]);
  });
});

/** Servers that are alive and on which no active cluster stands. */
async function strayServers(): Promise<string[]> {
  const { sandbox, context } = matrix.world;
  const { servers } = await readVendorRecords(sandbox);
  const owned = await context.db
    .selectFrom('servers')
    .innerJoin('clusters', 'clusters.server_id', 'servers.id')
    .select('servers.intent_name')
    .where('clusters.status', '=', 'active')
    .execute();
  const names = new Set(owned.map(({ intent_name }) => intent_name));
  return servers
    .filter(({ name }) => !names.has(name))
    .map(({ name }) => `server ${name} is alive`);
}
