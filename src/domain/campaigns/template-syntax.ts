/** Parses templates: variables `{{name|fallback}}`, spintax `{a|b|c}` at any depth, and text. */

/** `{{company|your team}}`; without a fallback an empty value is rendered as nothing. */
export interface VariableNode {
  variable: string;
  fallback: string;
}

/** `{Hi|Hello {{firstName}}}`: one of the options is taken. */
export interface SpinNode {
  options: TemplateNode[][];
}

export type TemplateNode = string | VariableNode | SpinNode;

export interface ParsedTemplate {
  nodes: TemplateNode[];
  /** Syntax errors, as sentences that quote them; empty for a valid template. */
  problems: string[];
}

/** Deeper nesting is a mistake, not a text. */
const MAX_DEPTH = 10;

/** Two braces mean a variable only when their content looks like one: `{{a|b}|c}` is spintax. */
const VARIABLE = /\{\{\s*([A-Za-z_][\w.-]*)\s*(?:\|([^{}]*))?\}\}/y;
/**
 * Other tags of Mustache and similar languages: sections, partials, comments, other delimiters, raw values.
 */
const OTHER_TAG = /\{\{\s*[#^/>&=!%~][^}]*\}{0,2}/y;
const TEXT = /[^{}|]+/y;

/** A group being parsed; the outermost one is the template itself. */
type Group = SpinNode;

/** Never throws: errors are listed in `problems`, and are text in `nodes`. */
export function parseTemplate(template: string): ParsedTemplate {
  const problems: string[] = [];
  const open: Group[] = [{ options: [[]] }];
  const add = (node: TemplateNode) => append(open.at(-1)!, node);
  for (let at = 0; at < template.length;) {
    if (open.length > MAX_DEPTH) {
      return { nodes: [template], problems: [`{ stands more than ${MAX_DEPTH} deep in { }`] };
    }
    const match = (pattern: RegExp) => {
      pattern.lastIndex = at;
      return pattern.exec(template);
    };
    const text = match(TEXT);
    const variable = text ? null : match(VARIABLE);
    const other = text || variable ? null : match(OTHER_TAG);
    const found = text ?? variable ?? other;
    if (variable) add({ variable: variable[1]!, fallback: (variable[2] ?? '').trim() });
    else if (found) add(found[0]);
    else readBrace(template[at]!, open);
    if (other) problems.push(`${other[0]} is not supported: only variables and {a|b} are`);
    at += found?.[0].length ?? 1;
  }
  while (open.length > 1) closeAsText(open, '');
  const nodes = open[0]!.options[0]!;
  return { nodes, problems: [...problems, ...slipsIn(nodes)] };
}

/** `{`, `|` or `}` outside of a variable. */
function readBrace(character: string, open: Group[]): void {
  const group = open.at(-1)!;
  if (character === '{') open.push({ options: [[]] });
  else if (open.length === 1) append(group, character);
  else if (character === '|') group.options.push([]);
  else if (group.options.length === 1) closeAsText(open, '}');
  else {
    open.pop();
    append(open.at(-1)!, group);
  }
}

/** Braces without a choice, or unclosed, are text (a style sheet, a smiley). */
function closeAsText(open: Group[], end: string): void {
  const { options } = open.pop()!;
  const outer = open.at(-1)!;
  append(outer, '{');
  options.forEach((option, index) => {
    if (index > 0) append(outer, '|');
    for (const node of option) append(outer, node);
  });
  if (end !== '') append(outer, end);
}

/** Merges adjacent texts. */
function append(group: Group, node: TemplateNode): void {
  const option = group.options.at(-1)!;
  const last = option.at(-1);
  if (typeof node === 'string' && typeof last === 'string') option[option.length - 1] = last + node;
  else option.push(node);
}

/**
 * Probable misspellings of variables: `{{first name}}`, `{{firstName}`, `{{{firstName}}}`,
 * `{{firstName|{{lastName}}}}`.
 */
function slipsIn(nodes: readonly TemplateNode[]): string[] {
  return nodes.flatMap((node, index) => {
    if (typeof node === 'object') return 'options' in node ? node.options.flatMap(slipsIn) : [];
    const slips = [...node.matchAll(/\{\{(?!\s*[#^/>&=!%~])[^{}]*\}{0,2}/g)].map(
      ([slip]) =>
        `${slip.slice(0, 60)} is no variable: it is written {{name}} or {{name|fallback}}`,
    );
    const [next, after] = nodes.slice(index + 1);
    const isInBraces = node.endsWith('{') && typeof after === 'string' && after.startsWith('}');
    if (!isInBraces || typeof next !== 'object') return slips;
    if ('variable' in next) {
      return [...slips, `{{{${next.variable}}}} is not supported: write {{${next.variable}}}`];
    }
    const [name] = next.options[0]!;
    const shown = typeof name === 'string' ? name.slice(0, 60) : '';
    return [
      ...slips,
      `{{${shown}|…}} is no variable: a fallback is text without braces, as in {{name|fallback}}`,
    ];
  });
}
