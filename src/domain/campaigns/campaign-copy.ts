/** The texts of a campaign as a client writes them, and their problems. Choices 8, 10, 12. */
import type { StepVariant, WrittenStep } from './campaigns.ts';
import type { FieldProblem } from '../errors.ts';
import { customNamesIn, templateProblems, usesVariable } from './templates.ts';

/** A follow-up on the wire; `order` counts from 1. */
export interface WrittenFollowup extends StepVariant {
  order: number;
  /** Default: the campaign's `followupDelayDays`. */
  delayDays?: number | undefined;
  variants?: readonly StepVariant[] | undefined;
}

export interface WrittenCopy {
  subjectTemplate: string;
  bodyTemplate: string;
  variants: readonly StepVariant[];
  steps: readonly WrittenFollowup[];
}

/** The messages in order: gaps in `order` are closed, the first message is position 0. */
export function stepsOf(copy: WrittenCopy): WrittenStep[] {
  const { subjectTemplate, bodyTemplate, variants } = copy;
  const first = { position: 0, delayDays: 0, subjectTemplate, bodyTemplate, variants };
  const followups = copy.steps.toSorted((one, other) => one.order - other.order);
  return [
    first,
    ...followups.map((step, index) => ({
      position: index + 1,
      delayDays: step.delayDays ?? null,
      subjectTemplate: step.subjectTemplate ?? null,
      bodyTemplate: step.bodyTemplate,
      variants: step.variants ?? [],
    })),
  ];
}

/** The names of custom fields in any of its texts. */
export const customNamesOf = (copy: WrittenCopy): string[] =>
  customNamesIn(
    [
      copy,
      ...copy.variants,
      ...copy.steps,
      ...copy.steps.flatMap(({ variants = [] }) => variants),
    ].flatMap(({ subjectTemplate = '', bodyTemplate }) => [subjectTemplate, bodyTemplate]),
  );

/** All problems that prevent sending, by the name of the field; `custom`: the account's custom fields. */
export function copyProblems(copy: WrittenCopy, custom: ReadonlySet<string>): FieldProblem[] {
  const textProblems = (prefix: string, text: StepVariant) => problemsOfText(prefix, text, custom);
  const problems = [
    ...textProblems('', copy),
    ...copy.variants.flatMap((variant, at) => textProblems(`variants[${at}].`, variant)),
    ...copy.steps.flatMap((step, at) => [
      ...textProblems(`steps[${at}].`, step),
      ...(step.variants ?? []).flatMap((variant, nth) =>
        textProblems(`steps[${at}].variants[${nth}].`, variant),
      ),
    ]),
  ];
  const orders = copy.steps.map(({ order }) => order);
  const twice = orders.find((order, at) => orders.indexOf(order) !== at);
  if (twice !== undefined) {
    problems.push({ field: 'steps', message: `steps has order ${twice} twice` });
  }
  return problems;
}

/** Opens and clicks are tracked in the HTML part, which a text-only message lacks. */
export const trackingProblems = (settings: {
  textOnly: boolean;
  trackOpens: boolean;
  trackClicks: boolean;
}): FieldProblem[] =>
  settings.textOnly
    ? (['trackOpens', 'trackClicks'] as const)
        .filter((field) => settings[field])
        .map((field) => ({ field, message: `${field} must be false with textOnly` }))
    : [];

const problemsOfText = (
  prefix: string,
  { subjectTemplate, bodyTemplate }: StepVariant,
  custom: ReadonlySet<string>,
) => [
  ...templateFields(`${prefix}subjectTemplate`, subjectTemplate, custom),
  ...signedSubject(`${prefix}subjectTemplate`, subjectTemplate),
  ...templateFields(`${prefix}bodyTemplate`, bodyTemplate, custom),
];

/** A signature has several lines, a subject only one. */
const signedSubject = (field: string, template: string | undefined): FieldProblem[] =>
  template !== undefined && usesVariable(template, 'signature')
    ? [{ field, message: `${field}: {{signature}} stands in a bodyTemplate only` }]
    : [];

const templateFields = (
  field: string,
  template: string | undefined,
  custom: ReadonlySet<string>,
): FieldProblem[] =>
  template === undefined
    ? []
    : templateProblems(template, custom).map((problem) => ({
        field,
        message: `${field}: ${problem}`,
      }));
