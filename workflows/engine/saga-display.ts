/** What operators see of an operation of steps in Temporal's UI. docs/workflow-rules.md#what-operators-see. */
import { workflowInfo } from '@temporalio/workflow';
import { isClientResource } from '../../src/domain/operations/client-operations.ts';
import type {
  OperationState,
  ResolutionAction,
  StepProgress,
} from '../../src/domain/operations/operations.ts';
import type { BlockedStep, OperationInput } from '../contracts/operator.ts';
import { createAttributes, inText, nowText, tell } from './details.ts';

/** What ends a block without an operator's answer. */
interface BlockEnd {
  limitSeconds: number | undefined;
  endsOnCancel: boolean;
}

/** Search attributes and current details, which say the same. */
export function createSagaDisplay(input: OperationInput, steps: readonly StepProgress[]) {
  let now: { state: OperationState; step: string | null; since: string } = {
    state: 'running',
    step: null,
    since: nowText(),
  };
  let why = '';
  let cause: string | undefined;
  let isTold = false;
  const show = createAttributes(input);
  const refresh = () => {
    const { state, step, since } = now;
    const words = DEEDS[state];
    const what = step === null ? words : `${words} \`${step}\` since ${since}.`;
    const undone = cause === undefined ? '' : `**Given up, because** ${cause}`;
    tell(what, why, undone, steps.map(lineOf).join('\n'));
  };
  refresh();
  return {
    untoldCause() {
      const untold = isTold ? undefined : cause;
      isTold = true;
      return untold;
    },
    enter(state: OperationState, step: string | null) {
      if (state !== now.state || step !== now.step) now = { state, step, since: nowText() };
      why = '';
      show(ATTRIBUTES[state] ?? null, step);
      refresh();
    },
    say(words: string) {
      why = words;
      refresh();
    },
    giveUp(words: string) {
      cause = words;
      refresh();
    },
    block(isUndo: boolean, blocked: BlockedStep, end: BlockEnd) {
      show(isUndo ? 'CompensationBlocked' : 'Blocked', blocked.step);
      const undone = cause === undefined ? '' : `**It is undone, because** ${cause}`;
      tell(checklist(input, blocked, end), undone);
    },
    unblock() {
      why = '';
      refresh();
    },
  };
}

const DEEDS: Record<OperationState, string> = {
  pending: 'Begins',
  running: 'Running',
  blocked: 'Blocked',
  compensating: 'Undoing',
  succeeded: 'Done.',
  failed: 'Failed.',
};

const lineOf = ({ name, state, note }: StepProgress) =>
  `- \`${name}\`: ${state}${note ? ` (${note})` : ''}`;

/** A finished run is removed from the lists of what needs attention. */
const ATTRIBUTES: Partial<Record<OperationState, string>> = {
  running: 'Running',
  compensating: 'Compensating',
};

/** Markdown for the UI's "current details": what happened, what one may do, the exact command. */
function checklist(
  input: OperationInput,
  { step, actions, error }: BlockedStep,
  { limitSeconds, endsOnCancel }: BlockEnd,
): string {
  const payload = (action: ResolutionAction) =>
    JSON.stringify({ step, action, actor: 'YOUR NAME', reason: 'WHY' });
  const limit =
    limitSeconds === undefined
      ? 'It waits until somebody answers.'
      : `Nobody answering until ${inText(limitSeconds * 1_000)} (${Math.round(limitSeconds / 360) / 10} h) undoes everything and refunds.`;
  return [
    `### Blocked: \`${step}\` of ${input.resource}`,
    `**Since** ${nowText()}`,
    `**Last error** (${error.type}): ${error.message}`,
    error.hint ? `**What to do:** ${error.hint}` : '',
    `- [ ] Remove the cause.`,
    `- [ ] Answer with one of: ${actions.join(', ')}. ${limit}${clientWords(input, actions, endsOnCancel)}`,
    '',
    'All that wait at this step, undos included, at once:',
    '```',
    `temporal workflow signal --namespace ${workflowInfo().namespace} --query 'OpsState IN ("Blocked","CompensationBlocked") AND OpsStep="${step}"' \\`,
    `  --name resolveBlockedStep --input '${payload(actions[0] ?? 'retry')}' --reason 'cause removed' --yes`,
    '```',
  ].join('\n');
}

/** The owner has the same button: an answer that nobody of the operators gave is theirs. */
function clientWords(
  { operationId, resource }: OperationInput,
  actions: readonly ResolutionAction[],
  endsOnCancel: boolean,
): string {
  const [type, id] = resource.split('/');
  if (!isClientResource(type!)) return '';
  const isCluster = type === 'cluster';
  const at = isCluster ? `/v1/clusters/${id}` : `/v1/operations/${operationId}`;
  // Of the operations that block, clients can cancel the order of a cluster alone.
  const ways = [
    ...(actions.includes('retry') ? ['retry'] : []),
    ...(isCluster && endsOnCancel ? ['cancel'] : []),
  ];
  const [first, ...others] = ways;
  if (first === undefined) return '';
  const also = others.map((way) => ` or \`/${way}\``).join('');
  return ` The client may as well: \`POST ${at}/${first}\`${also}.`;
}
