/**
 * Every activity of a provisioning goes wrong in every way, with the real activities; afterwards
 * the ledger, the registrar's and the server vendor's books and our rows must agree to the cent.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditWallets } from '../../src/db/ledger-audit.ts';
import { FAULT_KINDS, injectFaults, type FaultKind, type Plan } from '../support/fault-injector.ts';
import { startProvisioningWorld, type ProvisioningWorld } from '../support/provisioning-world.ts';
import { findResidue } from '../support/residue.ts';
import type { FormName } from '../support/cluster-forms.ts';
import {
  createRunner,
  UNDO_MODES,
  type CaseResult,
  type RanActivity,
} from '../support/saga-case.ts';

/** How many provisionings run at a time. */
const CONCURRENCY = 16;

/** At what has no effect of its own, an unknown outcome is a failure like any other. */
const WAIT_FAULTS: readonly FaultKind[] = [
  'dies_after_effect',
  'client_refusal',
  'operator_then_compensate',
  'cancelled',
];
/** In the other three forms these are tried in turns: they end in different undos and prices. */
const SLICE: readonly FaultKind[] = ['client_refusal', 'cancelled'];

const STRIKES = FAULT_KINDS.filter((kind) => kind !== 'all_twice');

const plans = new Map<number, Plan>();
const waiting = new Map<string, Plan>();
const results: CaseResult[] = [];
let world: ProvisioningWorld;
let run: ReturnType<typeof createRunner>;

beforeAll(async () => {
  world = await startProvisioningWorld({
    wrap: (activities) => injectFaults(activities, plans),
    beforeStart: ({ id, input }) => {
      const plan = waiting.get((input as { domain?: string }).domain ?? '');
      if (plan) plans.set(id, plan);
    },
  });
  run = createRunner(world, waiting);
  await run.rentSharedServer();
});

afterAll(async () => {
  await world?.close();
});

describe('a provisioning in which something goes wrong', () => {
  it.each<[FormName, (activity: RanActivity, index: number) => readonly FaultKind[]]>([
    ['new domain, new server', ({ isWait }) => (isWait ? WAIT_FAULTS : STRIKES)],
    ['new domain, existing server', inTurns(0)],
    ['existing domain, new server', inTurns(1)],
    ['existing domain, existing server', inTurns(0)],
  ])(
    '%s: ends active, or undone with the money back',
    async (form, kindsAt) => {
      const activities = await run.listActivities(form);
      expect(activities.length).toBeGreaterThan(7);
      const strikes = activities.flatMap((activity, index) =>
        kindsAt(activity, index).map((kind) => ({ form, kind, at: activity.id })),
      );
      const cases = [...strikes, { form, kind: 'all_twice' as const, at: '' }].map(
        (one, index) => ({ ...one, undo: UNDO_MODES[index % UNDO_MODES.length]!, index }),
      );
      const done = await inPool(cases, CONCURRENCY, (one) => run.runCase(one));
      results.push(...done);
      expect(done.flatMap(({ problems }) => problems)).toEqual([]);
    },
    600_000,
  );

  it('leaves nothing behind at any vendor, and every cent in its place', async () => {
    const residue = await findResidue(world, results);
    expect(await auditWallets(world.context.db)).toEqual([]);
    const active = results.filter(({ status }) => status === 'active').length;
    const summary = `${results.length} cases: ${active} active, ${results.length - active} undone`;
    process.stdout.write(`saga matrix: ${summary}, residue ${residue.length}\n`);
    expect(residue).toEqual([]);
  });
});

function inTurns(offset: number) {
  return (_activity: RanActivity, index: number) => [SLICE[(index + offset) % SLICE.length]!];
}

async function inPool<T, R>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      done.push(await work(item));
    }
  };
  await Promise.all(Array.from({ length: size }, worker));
  return done;
}
