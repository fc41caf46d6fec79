/** Runs one short flow with one fault to its end, and reports what is wrong. */
import { workflowIdOf } from '../../../src/domain/operations/run-keys.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { getOperation, type Operation } from '../../../src/db/operations/operations.ts';
import { cancelSignal, resolveBlockedStepSignal } from '../../../workflows/contracts/operator.ts';
import type { FaultKind, Plan, UndoMode } from './fault-injector.ts';
import type { Flow } from './flow-subjects.ts';
import { MATRIX_FLOWS, type MatrixFlow } from './matrix-flows.ts';
import { patiently } from './matrix-scope.ts';
import type { ProvisioningWorld } from './provisioning-world.ts';
import { VENDOR_PAIRS, type VendorPair } from './vendor-pairs.ts';

export interface FlowCase {
  name: MatrixFlow;
  flow: Flow;
  kind: FaultKind;
  /** The activity's readable id; `` for all of them. */
  at: string;
  undo: UndoMode;
  vendors: VendorPair;
  index: number;
}

/** By summary: called with the operation that is about to start. */
export type Meetings = Map<string, (operation: Operation) => void>;

const POLL_MS = 300;
/** Far more than any case takes; a case that hangs is named instead of timing out the file. */
const CASE_LIMIT_MS = 300_000;

export function createFlowRunner(
  { context }: ProvisioningWorld,
  meetings: Meetings,
  plans: Map<number, Plan>,
) {
  const handleOf = (operation: Operation) =>
    context.temporal.workflow.getHandle(workflowIdOf(operation));

  /** Asks for the flow and resolves with its operation, before its workflow is started. */
  async function begin(summary: string, ask: () => Promise<unknown>, plan?: Plan) {
    const met = new Promise<Operation>((resolve, reject) => {
      meetings.set(summary, (operation) => {
        if (plan) plans.set(operation.id, plan);
        resolve(operation);
      });
      // How it ended is read from the row; a refused request has none.
      ask().then(
        () => reject(new Error(`${summary}: no operation`)),
        (error: unknown) => reject(new Error(`${summary}: no operation`, { cause: error })),
      );
    });
    return met;
  }

  async function driveToEnd(id: number, one: FlowCase, plan: Plan) {
    const deadline = Date.now() + CASE_LIMIT_MS;
    const blockedAt: string[] = [];
    for (;;) {
      const operation = await patiently(() => getOperation(context.db, id), deadline);
      if (operation.finished_at !== null || Date.now() > deadline) return { operation, blockedAt };
      if (operation.state === 'blocked' || isUndoBlocked(operation)) {
        blockedAt.push(operation.step ?? '');
        plan.healed = true;
        const action = one.kind === 'operator_then_compensate' ? 'compensate' : 'retry';
        const words = { action, actor: 'on-call', reason: 'test' } as const;
        await handleOf(operation).signal(resolveBlockedStepSignal, {
          step: operation.step!,
          ...words,
        });
        await untilAnswered(operation, deadline);
      }
      await sleep(POLL_MS);
    }
  }

  /** Waits until the row has moved on from the failure that blocked it. */
  async function untilAnswered({ id, progress_number }: Operation, deadline: number) {
    while (Date.now() < deadline) {
      const now = await patiently(() => getOperation(context.db, id), deadline);
      if (now.progress_number !== progress_number || now.finished_at !== null) return;
      await sleep(POLL_MS);
    }
  }

  return {
    /** Readable ids of the activities of one clean run, in order. */
    async listActivities(flow: Flow, name: string): Promise<string[]> {
      const { summary, ask } = await flow.prepare(name, VENDOR_PAIRS[0]);
      const handle = handleOf(await begin(summary, ask));
      await untilStarted(handle);
      await handle.result();
      const { events } = await handle.fetchHistory();
      return (events ?? [])
        .map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityId ?? '')
        .filter((id) => /^[a-z]/.test(id));
    },

    /** One line for each thing that is wrong. */
    async runCase(one: FlowCase): Promise<string[]> {
      const { flow, kind, at, undo, vendors, index } = one;
      const place = `${vendors.registrar}, ${vendors.vps}`;
      const title = `${one.name} at ${place} / ${at || 'all'} / ${kind} / undo ${undo}`;
      const { summary, ask, check } = await flow.prepare(`case-${index}`, vendors);
      const plan: Plan = { kind, at, undo, hits: 0 };
      const met = begin(summary, ask, plan);
      plan.onEnter = async () => {
        const reason = { actor: 'test', reason: 'changed my mind' };
        await handleOf(await met).signal(cancelSignal, reason);
      };
      const { id, kind: asked } = await met;
      const { operation, blockedAt } = await driveToEnd(id, one, plan);
      const { state } = operation;
      const problems: string[] = [];
      if (asked !== MATRIX_FLOWS[one.name].kind) problems.push(`it is the flow ${asked}`);
      if (plan.hits === 0 && kind !== 'all_twice') problems.push('the fault never struck');
      const wanted = expectedOf(one);
      if (state !== wanted.state) {
        problems.push(`${state} ${operation.error_message ?? ''} instead of ${wanted.state}`);
      }
      if (blockedAt.join() !== wanted.blockedAt) {
        problems.push(`blocked at "${blockedAt.join()}" instead of "${wanted.blockedAt}"`);
      }
      problems.push(...(await check({ state, kind, at, operationId: id })));
      return problems.map((problem) => `${title}: ${problem}`);
    },
  };
}

/** Choice 13: a compensation that is itself blocked shows as `compensating`. */
const isUndoBlocked = ({ state, blocked_at }: Operation): boolean =>
  state === 'compensating' && blocked_at !== null;

async function untilStarted(handle: { describe(): Promise<unknown> }): Promise<void> {
  const isThere = () =>
    handle.describe().then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await sleep(POLL_MS);
}

/** What is done in our own database alone is retried for ever. */
const OURS_ALONE: ReadonlySet<string> = new Set([
  'wallet_hold',
  'server_key_switch',
  'rebuild_hold',
]);

/** How the case must end. docs/workflow-rules.md#sagas. */
function expectedOf({ flow, kind, at }: FlowCase): { state: string; blockedAt: string } {
  const step = at.split('.')[0]!;
  if (flow.isTeardown) {
    const healsAlone: FaultKind[] = ['fails_twice', 'rate_limited', 'slow', 'cancelled'];
    healsAlone.push('dies_before_call', 'dies_before_record', 'dies_after_effect', 'all_twice');
    const waits = !healsAlone.includes(kind) && !flow.givenUp?.includes(step);
    return { state: 'succeeded', blockedAt: waits ? step : '' };
  }
  switch (kind) {
    case 'client_refusal':
      return flow.pastPivot?.includes(step)
        ? { state: 'succeeded', blockedAt: step }
        : { state: 'failed', blockedAt: '' };
    case 'cancelled':
      return { state: isFinal(flow, step) ? 'succeeded' : 'failed', blockedAt: '' };
    case 'operator_then_compensate':
      return { state: 'failed', blockedAt: step };
    case 'operator_then_retry':
      return { state: 'succeeded', blockedAt: step };
    case 'fails_for_ever':
      return {
        state: 'succeeded',
        blockedAt: OURS_ALONE.has(at) || flow.waits?.includes(at) ? '' : step,
      };
    default:
      return { state: 'succeeded', blockedAt: '' };
  }
}

/** A cancel is forgotten there. */
const isFinal = ({ finalStep, pastPivot = [] }: Flow, step: string): boolean =>
  finalStep !== undefined && [finalStep, ...pastPivot].includes(step);
