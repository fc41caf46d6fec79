/**
 * Every activity of a provisioning goes wrong in every way, with the real activities; afterwards
 * the ledger, the books of all registrars and server vendors and our rows must agree to the cent.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import {
  FAULT_KINDS,
  injectFaults,
  MORE_FAULT_KINDS,
  type FaultKind,
  type Plan,
} from '../support/provisioning/fault-injector.ts';
import {
  casesOf,
  CONCURRENCY,
  isWhole,
  scope,
  createLimit,
} from '../support/provisioning/matrix-scope.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';
import { findResidue } from '../support/provisioning/residue.ts';
import type { FormName } from '../support/provisioning/cluster-forms.ts';
import {
  createRunner,
  UNDO_MODES,
  type CaseResult,
  type RanActivity,
} from '../support/provisioning/saga-case.ts';
import { withDeaths } from '../support/provisioning/vendor-deaths.ts';
import { VENDOR_PAIRS } from '../support/provisioning/vendor-pairs.ts';

/** How many provisionings run at a time, of all forms together. */
const limited = createLimit(CONCURRENCY);

/** At what has no effect of its own, an unknown outcome is a failure like any other. */
const WAIT_FAULTS: readonly FaultKind[] = [
  'dies_after_effect',
  'client_refusal',
  'operator_then_compensate',
  'cancelled',
];
/** In the other three forms these are tried in turns: they end in different undos and prices. */
const SLICE: readonly FaultKind[] = ['client_refusal', 'cancelled'];
const STRIKES: readonly FaultKind[] = [...FAULT_KINDS, ...(isWhole ? MORE_FAULT_KINDS : [])].filter(
  (kind) => kind !== 'all_twice',
);

const plans = new Map<number, Plan>();
const waiting = new Map<string, Plan>();
const results: CaseResult[] = [];
let world: ProvisioningWorld;
let run: ReturnType<typeof createRunner>;

beforeAll(async () => {
  world = await startProvisioningWorld({
    wrap: (activities) => injectFaults(activities, plans),
    outside: withDeaths,
    beforeStart: ({ id, input }) => {
      const plan = waiting.get((input as { domain?: string }).domain ?? '');
      if (plan) plans.set(id, plan);
    },
  });
  run = createRunner(world, waiting);
  await run.rentSharedServers();
});

afterAll(async () => {
  await world?.close();
});

describe('a provisioning in which something goes wrong', () => {
  it.concurrent.each<[FormName, KindsAt]>([
    ['new domain, new server', all],
    ['new domain, existing server', isWhole ? all : oneEach(0)],
    ['existing domain, new server', isWhole ? all : oneEach(1)],
    ['existing domain, existing server', isWhole ? all : oneEach(0)],
  ])(
    '%s: ends active, or undone with the money back',
    async (form, kindsAt) => {
      const activities = await limited(() => run.listActivities(form));
      expect(activities.length).toBeGreaterThan(7);
      const strikes = activities.flatMap((activity, index) =>
        kindsAt(activity, index).map((kind) => ({ kind, at: activity.id })),
      );
      const cases = casesOf(strikes).map((one, index) => {
        const undo = UNDO_MODES[index % UNDO_MODES.length]!;
        return { ...one, form, undo, index };
      });
      const done = await Promise.all(cases.map((one) => limited(() => run.runCase(one))));
      results.push(...done);
      expect(done.flatMap(({ problems }) => problems)).toEqual([]);
    },
    isWhole ? 7_200_000 : 600_000,
  );

  it('leaves nothing behind at any vendor, and every cent in its place', async () => {
    const residue = await findResidue(world, results);
    expect(await auditWallets(world.context.db)).toEqual([]);
    const active = results.filter(({ status }) => status === 'active').length;
    const summary = `${results.length} cases (${scope}), ${told(results)}: ${active} active, ${results.length - active} undone`;
    process.stdout.write(`saga matrix: ${summary}, residue ${residue.length}\n`);
    expect(residue).toEqual([]);
  });
});

/** How many met which vendors. */
function told(all: readonly CaseResult[]): string {
  const counts = VENDOR_PAIRS.map(({ registrar, vps }) => {
    const own = all.filter(({ vendors }) => vendors.vps === vps);
    return `${own.length} at ${registrar} and ${vps}`;
  });
  return counts.join(', ');
}

type KindsAt = (activity: RanActivity, index: number) => readonly FaultKind[];

function all({ isWait }: RanActivity): readonly FaultKind[] {
  return isWait ? WAIT_FAULTS : STRIKES;
}

function oneEach(offset: number): KindsAt {
  return (_activity, index) => [SLICE[(index + offset) % SLICE.length]!];
}
