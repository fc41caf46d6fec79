/** Texts that may come out empty for a lead that lacks the values they use. */
import { customNameOf, type CustomVariable } from '../leads/custom-fields.ts';
import type { WrittenStep } from '../campaigns/campaigns.ts';
import { isHtml } from './message-bodies.ts';
import { parseTemplate, type TemplateNode } from '../campaigns/template-syntax.ts';
import { unguardedVariables } from '../campaigns/templates.ts';

/** What a lead may lack; the other variables always have a value. */
export const LEAD_FACTS = [
  'firstName',
  'lastName',
  'fullName',
  'company',
  'role',
  'companyDomain',
  'website',
  'city',
  'country',
] as const;
export type LeadFact = (typeof LEAD_FACTS)[number] | CustomVariable;

export interface FragileText {
  /** As the client writes it: `steps[0].bodyTemplate`. */
  field: string;
  /** For a lead without any of these the text may be empty. */
  facts: LeadFact[];
}

/** The texts that may come out empty; a follow-up without a subject answers in the thread. */
export const fragileTexts = (steps: readonly WrittenStep[]): FragileText[] =>
  namedTexts(steps).flatMap(({ at, position, subjectTemplate, bodyTemplate }) => [
    ...(position === 0 ? fragile(`${at}subjectTemplate`, subjectTemplate ?? undefined) : []),
    ...fragile(`${at}bodyTemplate`, bodyTemplate),
  ]);

/** What leads may lack and texts have no fallback for, with the names of those texts. */
export function unguardedFacts(steps: readonly WrittenStep[]): Map<LeadFact, string[]> {
  const used = new Map<LeadFact, string[]>();
  for (const { at, subjectTemplate, bodyTemplate } of namedTexts(steps)) {
    for (const [name, template] of Object.entries({ subjectTemplate, bodyTemplate })) {
      for (const fact of unguardedVariables(template ?? '').filter(isLeadFact)) {
        used.set(fact, [...(used.get(fact) ?? []), `${at}${name}`]);
      }
    }
  }
  return used;
}

/** All texts; `at`: what stands before the names of their fields. */
const namedTexts = (steps: readonly WrittenStep[]) =>
  steps.flatMap((step, position) => {
    const prefix = position === 0 ? '' : `steps[${position - 1}].`;
    const { subjectTemplate, bodyTemplate } = step;
    return [
      { at: prefix, position, subjectTemplate, bodyTemplate },
      ...step.variants.map((variant, nth) => ({
        at: `${prefix}variants[${nth}].`,
        position,
        subjectTemplate: variant.subjectTemplate ?? null,
        bodyTemplate: variant.bodyTemplate,
      })),
    ];
  });

function fragile(field: string, template: string | undefined): FragileText[] {
  if (template === undefined) return [];
  const seen = isHtml(template) ? template.replaceAll(/<(?!img\b)[^<>]*>/gi, ' ') : template;
  const { nodes } = parseTemplate(seen);
  return canBeEmpty(nodes) ? [{ field, facts: [...new Set(factsIn(nodes))] }] : [];
}

/** Whether it is something that a lead may lack. */
export const isLeadFact = (name: string): name is LeadFact =>
  (LEAD_FACTS as readonly string[]).includes(name) || customNameOf(name) !== undefined;

const canBeEmpty = (nodes: readonly TemplateNode[]): boolean =>
  nodes.every((node) => {
    // Such punctuation is removed with the empty value before it.
    if (typeof node === 'string') return /^[\s,;:()]*$/.test(node);
    if ('options' in node) return node.options.some(canBeEmpty);
    return node.fallback === '' && isLeadFact(node.variable);
  });

const factsIn = (nodes: readonly TemplateNode[]): LeadFact[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    if ('options' in node) return node.options.flatMap(factsIn);
    return isLeadFact(node.variable) ? [node.variable] : [];
  });
