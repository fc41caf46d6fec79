/**
 * The texts of a message that replace one another while a campaign sends: each has a permanent number under
 * which it is counted, so that no text is credited with another's results. Choice 68.
 */
import type { CampaignStep, StepVariant } from './campaigns.ts';

type Written = Pick<
  CampaignStep,
  'position' | 'subjectTemplate' | 'bodyTemplate' | 'variants' | 'numbers'
>;

/** One of the texts of a step as it is sent. */
export interface NumberedText {
  number: number;
  /** That of its step, where it has none of its own. */
  subjectTemplate: string | null;
  bodyTemplate: string;
}

/** Retired texts beyond this number are dropped; their counts stay. */
export const MAX_RETIRED_TEXTS = 50;

/** The step's own text and its variants, in their order. */
export function textsOf(step: Written): NumberedText[] {
  const own: StepVariant = { bodyTemplate: step.bodyTemplate };
  return [own, ...step.variants].map((text, index) => ({
    number: numberOf(step, index),
    subjectTemplate: text.subjectTemplate ?? step.subjectTemplate,
    bodyTemplate: text.bodyTemplate,
  }));
}

/** The number under which the n-th text of a step is counted. */
export const numberOf = ({ numbers }: Pick<CampaignStep, 'numbers'>, index: number): number =>
  numbers?.[index] ?? index;

/** The index of the step's text with that number. MUST be one of its own. */
export const indexOf = ({ numbers }: Pick<CampaignStep, 'numbers'>, number: number): number =>
  numbers === undefined ? number : numbers.indexOf(number);

/**
 * The step after a change of texts that may have been sent: texts that stay, or come back, keep their
 * numbers; new ones get unused numbers. `retired`: removed texts, newest last.
 */
export function numbered<Step extends Written>(
  before: Written,
  retiredBefore: readonly NumberedText[],
  after: Step,
): { step: Step; retired: NumberedText[] } {
  const known = [...textsOf(before), ...retiredBefore];
  const taken = new Set<number>();
  let next = Math.max(...known.map(({ number }) => number)) + 1;
  const numbers = textsOf({ ...after, numbers: undefined }).map((text) => {
    const same = known.find((one) => !taken.has(one.number) && isSame(one, text));
    const number = same?.number ?? next++;
    taken.add(number);
    return number;
  });
  const gone = textsOf(before).filter(({ number }) => !taken.has(number));
  const retired = [...retiredBefore.filter(({ number }) => !taken.has(number)), ...gone];
  return { step: { ...after, numbers }, retired: retired.slice(-MAX_RETIRED_TEXTS) };
}

const isSame = (one: NumberedText, other: NumberedText): boolean =>
  one.subjectTemplate === other.subjectTemplate && one.bodyTemplate === other.bodyTemplate;

/**
 * Positions to which a text moves that was sent at an earlier one: recipients who got it there would get it
 * again. `sent`: the sent texts with their positions; a text that also keeps its position is meant to be
 * repeated.
 */
export function movedBehind(
  sent: ReadonlyMap<number, readonly NumberedText[]>,
  before: readonly Written[],
  after: readonly Written[],
): number[] {
  const bodiesAt = (steps: readonly Written[], position: number): string[] => {
    const step = steps[position];
    return step ? textsOf(step).map(({ bodyTemplate }) => bodyTemplate) : [];
  };
  return after
    .map(({ position }) => position)
    .filter((position) => {
      const fresh = bodiesAt(after, position).filter(
        (body) => !bodiesAt(before, position).includes(body),
      );
      return [...sent].some(
        ([earlier, texts]) =>
          earlier < position &&
          texts.some(
            ({ bodyTemplate: body }) =>
              fresh.includes(body) && !bodiesAt(after, earlier).includes(body),
          ),
      );
    });
}
