/** The variables of templates, problems of a template, and its text for one recipient. Choice 8. */
import { customNameOf, type CustomVariable } from '../leads/custom-fields.ts';
import { spin } from './spintax.ts';
import { NOTHING, withoutGaps } from './template-gaps.ts';
import { parseTemplate, type ParsedTemplate, type TemplateNode } from './template-syntax.ts';

/** Spec: POST /v1/campaigns. It shows the first three; the others are ours. */
export const TEMPLATE_VARIABLES = {
  firstName: 'First name of the lead',
  lastName: 'Last name of the lead',
  company: 'Name of the company',
  fullName: 'First and last name',
  email: 'Address of the lead',
  role: 'Job title of the lead',
  companyDomain: 'Domain of the company',
  website: 'Website of the company',
  city: 'City of the company',
  country: 'Country of the company, in English',
  senderName: "The account's `senderName`",
  senderEmail: 'Address of the mailbox that sends',
  unsubscribeUrl: 'Where the recipient unsubscribes',
  signature: 'Signature of the mailbox, which else stands under the text',
} as const;
export type TemplateVariable = keyof typeof TEMPLATE_VARIABLES;

/** Values by variable; one that is missing or empty falls back. */
export type TemplateValues = Readonly<
  Partial<Record<TemplateVariable | CustomVariable, string | null | undefined>>
>;

export const isTemplateVariable = (name: string): name is TemplateVariable =>
  Object.hasOwn(TEMPLATE_VARIABLES, name);

/** The context of a text: values are escaped in HTML, and no text breaks a header line. */
export type TemplateUse = 'subject' | 'text' | 'html';

/** The problems of a template, each quoting its cause; empty for a valid one. `custom`: the account's fields. */
export function templateProblems(template: string, custom: ReadonlySet<string> = NONE): string[] {
  const { nodes, problems } = parsed(template);
  const unknown = variablesIn(nodes).filter(
    (name) => !isTemplateVariable(name) && !custom.has(customNameOf(name) ?? ''),
  );
  const singles = [...template.matchAll(/(?<!\{)\{\s*(\w+)\s*\}(?!\})/g)]
    .filter(([, name]) => isTemplateVariable(name!))
    .map(([slip, name]) => `${slip} is no variable: write {{${name}}}`);
  const names = [...new Set(unknown)].map((name) =>
    customNameOf(name) === undefined
      ? `unknown variable {{${name}}}`
      : `unknown variable {{${name}}}: there is no such custom field`,
  );
  return [...problems, ...names, ...singles];
}

const NONE: ReadonlySet<string> = new Set();

/** The names of custom fields in any option of the texts, each once. */
export const customNamesIn = (templates: readonly string[]): string[] => {
  const names = templates
    .filter((template) => template.includes('custom.'))
    .flatMap((template) => variablesIn(parsed(template).nodes).map(customNameOf));
  return [...new Set(names.filter((name) => name !== undefined))];
};

/** Variables without a fallback in any option of the text, each once. */
export const unguardedVariables = (template: string): string[] => [
  ...new Set(unguardedIn(parsed(template).nodes)),
];

const unguardedIn = (nodes: readonly TemplateNode[]): string[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    if ('options' in node) return node.options.flatMap(unguardedIn);
    return oneLine(node.fallback) === '' ? [node.variable] : [];
  });

/** Whether any of its options holds the variable. */
export const usesVariable = (
  template: string,
  variable: TemplateVariable | CustomVariable,
): boolean => variablesIn(parsed(template).nodes).includes(variable);

/**
 * The template's text for one recipient. Values are never read as templates; the same `seed` selects the same
 * options of spintax. MUST be a template without problems.
 */
export function fillTemplate(
  template: string,
  {
    values,
    seed,
    use,
    missing,
  }: {
    values: TemplateValues;
    seed: string;
    use: TemplateUse;
    /** Takes the variables that have neither a value nor a fallback. */
    missing?: Set<string>;
  },
): string {
  const written = spin(parsed(template).nodes, seed).map((node) => {
    if (typeof node === 'string') return node;
    const value = valueOf(values, node.variable) || oneLine(node.fallback);
    if (value === '') {
      missing?.add(node.variable);
      return NOTHING;
    }
    return use === 'html' ? escapeHtml(value) : value;
  });
  const text = withoutGaps(written.join(''));
  return use === 'subject' ? oneLine(text) : text;
}

/** For text in HTML and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/**
 * One line without control characters, which would end a header (RFC 5322, 2.2), and without characters that turn the
 * direction of what follows. The marks U+200E, U+200F and U+061C turn nothing, and right-to-left texts need them.
 */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();

function valueOf(values: TemplateValues, name: string): string {
  // A field may have the name of what every object has.
  if (!Object.hasOwn(values, name)) return '';
  const value = values[name as TemplateVariable] ?? '';
  if (value === SIGNATURE_MARK) return value;
  return VISIBLE.test(value) ? oneLine(value) : '';
}

/** A value of blanks and invisible marks alone is none. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Marks the position of a signature in both parts; no template and no value can contain it. */
export const SIGNATURE_MARK = '\u0001';

function variablesIn(nodes: readonly TemplateNode[]): string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    return 'variable' in node ? [node.variable] : node.options.flatMap(variablesIn);
  });
}

/** A campaign has few templates and many messages. */
const cache = new Map<string, ParsedTemplate>();
const MAX_CACHED = 500;

function parsed(template: string): ParsedTemplate {
  const known = cache.get(template);
  if (known) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const fresh = parseTemplate(template.replaceAll(NOTHING, '').replaceAll(SIGNATURE_MARK, ''));
  cache.set(template, fresh);
  return fresh;
}
