/** What comments, titles of tests and documents cite, and whether it can be followed. */
import { posix } from 'node:path';

/** A file that may cite something. */
export interface Source {
  /** Relative to the repository. */
  path: string;
  text: string;
}

/** Where citations lead. */
export interface Targets {
  /** Whether a file exists, by its path relative to the repository. */
  exists: (path: string) => boolean;
  /** Texts of the Markdown documents, by the same path. */
  documents: ReadonlyMap<string, string>;
}

/** `fault` says why it cannot be followed, and is null where it can. */
export interface Citation {
  path: string;
  words: string;
  fault: string | null;
}

type Judge = (match: RegExpMatchArray, at: { path: string; targets: Targets }) => string | null;

/** In all texts. The forms of citations are rule 8 of CONTRIBUTING.md. */
const FORMS: [RegExp, Judge][] = [
  [/\bSpec: .{0,90}/g, ([words], { targets }) => specFault(words, targets)],
  [
    /\b[Cc]hoices? (\d+(?:-\d+)?(?:(?:, | and )\d+(?:-\d+)?)*)/g,
    ([, numbers], { targets }) => choiceFault(numbers!, targets),
  ],
  // Numbers and messages of lists that nobody has, save RFCs.
  [/\b(?:Workflows: )?W\d{1,2}\b/g, unknown],
  [/\b[Tt]rap [a-z]\b(?! \w)/g, unknown],
  [/\b[Gg]oal [A-Z]\d+\b/g, unknown],
  [/\bMail: (?:rules|only|the) |\b[Mm]ail rules\b/g, unknown],
];

/** In comments and documents: code may hold such words for reasons of its own. */
const FORMS_OF_REMARKS: [RegExp, Judge][] = [
  [/(?<![\w/.@-])((?:[\w.-]+\/)*[\w-]+\.md)\b(?:#([\w-]+))?/g, documentFault],
  [/(?<!-)\b(?:Workflows|World|Providers|Libraries|Goals): (?!W\d).{0,20}/g, unknown],
  // Of which section?
  [/(?<!, )\b[Rr]ules? \d+/g, (_, { path }) => (path.endsWith('.md') ? null : unknown())],
  // The name of a bench, which only benches are called by.
  [
    /(?<![\w'"`.])(?<!oal )[PR]\d{1,2}\b(?!['"`@])/g,
    ([bench], { path, targets }) => {
      if (path.endsWith('.md')) return null;
      if (!path.startsWith('bench/')) return unknown();
      return targets.exists(`bench/${bench.toLowerCase()}-`) ? null : 'no such bench';
    },
  ],
];

function unknown(): string {
  return 'no known form of citation';
}

/** Packed numbers cite nothing: letters of base 64 in a row are any words by chance. */
const PACKED = /'[\w-]{200,}'/g;

/** All citations of `source`, those first that stand anywhere in it. */
export function citationsOf({ path, text: whole }: Source, targets: Targets): Citation[] {
  const text = whole.replaceAll(PACKED, "''");
  const remarks = path.endsWith('.md') ? text : commentsOf(text).join('\n|\n');
  const matches = (within: string, forms: [RegExp, Judge][]) =>
    forms.flatMap(([form, judge]) =>
      [...oneLine(within).matchAll(form)].map((match) => ({
        path,
        words: match[0],
        fault: judge(match, { path, targets }),
      })),
    );
  return [...matches(text, FORMS), ...matches(remarks, FORMS_OF_REMARKS)];
}

const NUMBERS = String.raw`\d+(?:(?:, | and | to )\d+)*`;
const HEADING = String.raw`(?:(?:GET|POST|PUT|PATCH|DELETE) /[\w/:-]*\w|[A-Za-z][A-Za-z-]*(?: [a-z-]+)*)`;
const RULES = new RegExp(`^rules? (${NUMBERS})$`);
const SPEC = new RegExp(`^Spec: (${HEADING}(?:, (?:rules? ${NUMBERS}|${HEADING}))*)(?=[^\\w/-]|$)`);

/** `Spec: Leads, rules 2 and 3`: headings of the notes, and numbers in the list under one of them. */
function specFault(words: string, { documents }: Targets): string | null {
  const cited = SPEC.exec(words)?.[1];
  if (cited === undefined) return 'no heading is named';
  const sections = sectionsOf(documents.get('docs/spec-notes.md') ?? '');
  let rules: number[] = [];
  for (const part of cited.split(/, (?!\d)/)) {
    const numbers = RULES.exec(part)?.[1];
    const section = sections.get(part.toLowerCase());
    if (numbers === undefined && section === undefined) {
      return `docs/spec-notes.md has no heading "${part}"`;
    }
    if (section !== undefined) rules = numberedLines(section, /^(\d+)\. /gm);
    const missing = numbersOf(numbers ?? '').find((number) => !rules.includes(number));
    if (missing !== undefined) return `no rule ${missing} is there`;
  }
  return null;
}

/** `choices 4, 19-23`: rows of the table in docs/choices.md. */
function choiceFault(numbers: string, { documents }: Targets): string | null {
  const rows = numberedLines(documents.get('docs/choices.md') ?? '', /^\| (\d+) +\|/gm);
  const missing = numbersOf(numbers).filter((number) => !rows.includes(number));
  return missing.length === 0 ? null : `no choice ${missing.join(', ')} in docs/choices.md`;
}

/** `docs/sending-rules.md#send-once`: from the root; in documents also from their own folder. */
function documentFault(
  ...[[, named, anchor], { path, targets }]: Parameters<Judge>
): string | null {
  const candidates = [named!];
  if (path.endsWith('.md')) candidates.unshift(posix.join(posix.dirname(path), named!));
  const found = candidates.find((candidate) => targets.exists(candidate));
  if (found === undefined) return 'no such document';
  if (anchor === undefined) return null;
  return anchorsOf(targets.documents.get(found) ?? '').includes(anchor) ? null : 'no such heading';
}

/** As GitHub makes anchors of headings. */
export const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

/** What stands under each heading, up to the next one. */
const sectionsOf = (text: string): Map<string, string> =>
  new Map(
    text
      .split(/^#+ /m)
      .map((part) => [part.split('\n', 1)[0]!.trim().toLowerCase(), part] as const),
  );

const numberedLines = (text: string, form: RegExp): number[] =>
  [...text.matchAll(form)].map(([, number]) => Number(number));

/** `2, 4-6 and 9` and `1 to 3`, each number by itself. */
const numbersOf = (list: string): number[] =>
  [...list.matchAll(/(\d+)(?:(?:-| to )(\d+))?/g)].flatMap(([, first, last]) => {
    const from = Number(first);
    return Array.from({ length: Number(last ?? first) - from + 1 }, (_, index) => from + index);
  });

/** Comments of TypeScript and of the shell. A glob in a string does not follow white space. */
const commentsOf = (text: string): string[] =>
  [
    ...text.matchAll(/(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*|# .*(?:\n\s*# .*)*)/gm),
  ].map(([comment]) => comment);

/** Lines joined, without what begins a line of a comment. */
const oneLine = (text: string): string => text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/|# )?\s*/g, ' ');
