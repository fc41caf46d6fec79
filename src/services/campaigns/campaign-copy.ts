/** Changing the texts of a campaign, also of messages that were sent. Choices 8, 68. */
import type { Transaction } from 'kysely';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import {
  listRetiredTexts,
  listSentPositions,
  listSteps,
  loadSequence,
  replaceSteps,
} from '../../db/campaigns/campaign-steps.ts';
import { beginStepTests } from '../../db/campaigns/step-tests.ts';
import type { Database } from '../../db/tables.ts';
import { stepsOf, type WrittenCopy } from '../../domain/campaigns/campaign-copy.ts';
import type { WrittenStep } from '../../domain/campaigns/campaigns.ts';
import { invalid, validationError } from '../../domain/errors.ts';
import {
  movedBehind,
  numbered,
  textsOf,
  type NumberedText,
} from '../../domain/campaigns/step-texts.ts';
import { problemsOfCopy } from './campaign-custom.ts';

/** Fields that are not given stay. */
export type CopyChange = { [Field in keyof WrittenCopy]?: WrittenCopy[Field] | undefined };

/**
 * Messages that were sent or claimed keep their text; all others get the new one. The caller holds the
 * campaign's lock: nothing is claimed meanwhile. The texts of a step that changes are compared anew.
 */
export async function changeCopy(
  trx: Transaction<Database>,
  { id, user_id: userId }: Campaign,
  change: CopyChange,
  now: Date,
): Promise<void> {
  const known = (await listSteps(trx, [id])).get(id)!;
  const copy = copyOf(known, change);
  const problems = await problemsOfCopy(trx, userId, copy);
  if (problems.length > 0) throw validationError(problems);
  const steps = stepsOf(copy);
  const sent = await listSentPositions(trx, id);
  refuseTaken(known, steps, sent);
  const retired = await listRetiredTexts(trx, id);
  // For a follow-up without a text a built-in reminder was sent.
  const before = await loadSequence(trx, id, { atLeast: Math.max(0, ...sent) });
  const sentTexts = new Map<number, NumberedText[]>();
  for (const position of sent) {
    const step = known[position] ?? before[position]!;
    sentTexts.set(position, [...textsOf(step), ...(retired.get(position) ?? [])]);
  }
  refuseMoved(movedBehind(sentTexts, known, steps));
  const after = steps.map((step) => {
    const { position } = step;
    if (!sent.has(position)) return { step, retired: [] };
    return numbered(known[position] ?? before[position]!, retired.get(position) ?? [], step);
  });
  await replaceSteps(
    trx,
    id,
    after.map(({ step }) => step),
    new Map(after.map(({ step, retired: texts }) => [step.position, texts])),
  );
  const changed = after.filter(({ step }) => !hasSameTexts(known[step.position], step));
  const positions = changed.map(({ step }) => step.position);
  await beginStepTests(trx, id, positions, now);
}

/** In any order, under the same numbers. */
function hasSameTexts(before: WrittenStep | undefined, after: WrittenStep): boolean {
  const told = (step: WrittenStep) =>
    JSON.stringify(textsOf(step).toSorted((one, other) => one.number - other.number));
  return before !== undefined && told(before) === told(after);
}

/** Follow-ups are identified by position: one that was sent can be changed, not removed. */
function refuseTaken(
  known: readonly WrittenStep[],
  steps: readonly WrittenStep[],
  sent: ReadonlySet<number>,
): void {
  const taken = known.filter(({ position }) => !steps[position] && sent.has(position));
  if (taken.length === 0) return;
  throw invalid(
    'INVALID_STATE',
    'A follow-up that was sent cannot be taken out; change its text, or lower maxFollowups',
    taken.map(({ position }) => ({
      field: `steps[${position - 1}]`,
      message: `Follow-up ${position} was sent`,
    })),
  );
}

function refuseMoved(positions: readonly number[]): void {
  if (positions.length === 0) return;
  throw invalid(
    'INVALID_STATE',
    'A text that was sent cannot come again behind its place: who has had it would get it twice',
    positions.map((position) => ({
      field: `steps[${position - 1}]`,
      message: `steps[${position - 1}] was sent as an earlier message`,
    })),
  );
}

/** The row as a client would have written it, with the change applied. */
function copyOf(known: readonly WrittenStep[], change: CopyChange): WrittenCopy {
  const [first, ...followups] = known;
  return {
    subjectTemplate: change.subjectTemplate ?? first!.subjectTemplate ?? '',
    bodyTemplate: change.bodyTemplate ?? first!.bodyTemplate,
    variants: change.variants ?? first!.variants,
    steps:
      change.steps ??
      followups.map((step) => ({
        order: step.position,
        delayDays: step.delayDays ?? undefined,
        subjectTemplate: step.subjectTemplate ?? undefined,
        bodyTemplate: step.bodyTemplate,
        variants: step.variants,
      })),
  };
}
