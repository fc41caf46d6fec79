/** What operators see of an operation of steps in Temporal's UI. docs/workflow-rules.md#what-operators-see. */
import type {
  OperationState,
  ResolutionAction,
  StepProgress,
} from '../../src/domain/operations/operations.ts';
import type { BlockedStep, OperationInput } from '../contracts/operator.ts';
import { createAttributes, nowText, tell } from './details.ts';

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
    block(isUndo: boolean, blocked: BlockedStep, limitSeconds: number | undefined) {
      show(isUndo ? 'CompensationBlocked' : 'Blocked', blocked.step);
      const undone = cause === undefined ? '' : `**It is undone, because** ${cause}`;
      tell(checklist(input, blocked, limitSeconds), undone);
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
  limitSeconds: number | undefined,
): string {
  const payload = (action: ResolutionAction) =>
    JSON.stringify({ step, action, actor: 'YOUR NAME', reason: 'WHY' });
  const limit =
    limitSeconds === undefined
      ? 'It waits until somebody answers.'
      : `Nobody answering within ${Math.round(limitSeconds / 360) / 10} h undoes everything and refunds.`;
  return [
    `### Blocked: \`${step}\` of ${input.resource}`,
    `**Last error** (${error.type}): ${error.message}`,
    error.hint ? `**What to do:** ${error.hint}` : '',
    `- [ ] Remove the cause.`,
    `- [ ] Answer with one of: ${actions.join(', ')}. ${limit}`,
    '',
    'All that wait at this step, undos included, at once:',
    '```',
    `temporal workflow signal --query 'OpsState IN ("Blocked","CompensationBlocked") AND OpsStep="${step}"' \\`,
    `  --name resolveBlockedStep --input '${payload(actions[0] ?? 'retry')}' --reason 'cause removed' --yes`,
    '```',
  ].join('\n');
}
