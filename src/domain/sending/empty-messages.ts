/** Texts that may come out empty for a lead that lacks the values they use. */
import type { WrittenStep } from '../campaigns/campaigns.ts';
import { isHtml } from './message-bodies.ts';
import { parseTemplate, type TemplateNode } from '../campaigns/template-syntax.ts';

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
export type LeadFact = (typeof LEAD_FACTS)[number];

export interface FragileText {
  /** As the client writes it: `steps[0].bodyTemplate`. */
  field: string;
  /** For a lead without any of these the text may be empty. */
  facts: LeadFact[];
}

/** The texts that may come out empty; a follow-up without a subject answers in the thread. */
export const fragileTexts = (steps: readonly WrittenStep[]): FragileText[] =>
  steps.flatMap((step, position) => {
    const prefix = position === 0 ? '' : `steps[${position - 1}].`;
    const texts = [
      { at: prefix, ...step },
      ...step.variants.map((variant, nth) => ({ at: `${prefix}variants[${nth}].`, ...variant })),
    ];
    return texts.flatMap(({ at, subjectTemplate, bodyTemplate }) => [
      ...(position === 0 ? fragile(`${at}subjectTemplate`, subjectTemplate ?? undefined) : []),
      ...fragile(`${at}bodyTemplate`, bodyTemplate),
    ]);
  });

function fragile(field: string, template: string | undefined): FragileText[] {
  if (template === undefined) return [];
  const seen = isHtml(template) ? template.replaceAll(/<(?!img\b)[^<>]*>/gi, ' ') : template;
  const { nodes } = parseTemplate(seen);
  return canBeEmpty(nodes) ? [{ field, facts: [...new Set(factsIn(nodes))] }] : [];
}

const isLeadFact = (name: string): name is LeadFact =>
  (LEAD_FACTS as readonly string[]).includes(name);

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
