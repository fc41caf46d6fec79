/** How a provisioning with one fault must end. */
import { FORMS, type FormName } from './cluster-forms.ts';
import type { FaultKind, UndoMode } from './fault-injector.ts';
import type { VendorPair } from './vendor-pairs.ts';

/** The purchase itself: a fault that lets it through although it is cancelled has bought. */
const PIVOT = 'domain_purchase.register';

/** Steps in our own database, which are retried until it answers. */
const NEVER_ASKING: ReadonlySet<string> = new Set([
  'wallet_hold',
  'domain_purchase.vps',
  'server_create.choose',
]);

export interface SagaCase {
  form: FormName;
  vendors: VendorPair;
  kind: FaultKind;
  at: string;
  undo: UndoMode;
  index: number;
}

interface Outcome {
  status: string;
  /** The step that was blocked, if one was. */
  blockedAt: string | undefined;
}

/** How the case must end. docs/workflow-rules.md#sagas. */
export function expectedOf({ form, kind, at }: SagaCase): Outcome {
  const step = at.split('.')[0]!;
  // Without a purchase there is no pivot: a fault that only the client can cure ends it at any step.
  const isPivotPassed = FORMS[form].buysDomain && !isBeforePivot(at);
  switch (kind) {
    case 'client_refusal':
      return isPivotPassed
        ? { status: 'active', blockedAt: step }
        : { status: 'failed', blockedAt: undefined };
    case 'fails_for_ever':
      return { status: 'active', blockedAt: NEVER_ASKING.has(at) ? undefined : step };
    case 'operator_then_retry':
      return { status: 'active', blockedAt: step };
    case 'operator_then_compensate':
      return { status: 'failed', blockedAt: step };
    case 'cancelled':
      return { status: 'failed', blockedAt: undefined };
    default:
      return { status: 'active', blockedAt: undefined };
  }
}

/** Whether a failed cluster's domain was bought: the fault came later, or let the purchase through. */
export const boughtThough = ({ kind, at }: SagaCase): boolean =>
  !isBeforePivot(at) || (at === PIVOT && kind === 'cancelled');

const isBeforePivot = (at: string): boolean =>
  ['wallet_hold', 'domain_purchase'].includes(at.split('.')[0]!);

/** The differences, one line each. */
export function compare(wanted: Outcome, outcome: Outcome): string[] {
  const problems: string[] = [];
  if (outcome.status !== wanted.status) {
    problems.push(`the cluster is ${outcome.status} instead of ${wanted.status}`);
  }
  if (outcome.blockedAt !== wanted.blockedAt) {
    problems.push(`blocked at ${outcome.blockedAt} instead of ${wanted.blockedAt}`);
  }
  return problems;
}
