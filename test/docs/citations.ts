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
  /** Texts of the Markdown documents, by their path relative to the repository. */
  documents: ReadonlyMap<string, string>;
}

/** One citation: `fault` says why it cannot be followed, and is null where it can. */
export interface Citation {
  path: string;
  words: string;
  fault: string | null;
}

/** The rules of the specification, restated, and the choices where it is silent. */
const SPEC_NOTES = 'docs/spec-notes.md';
const CHOICES = 'ARCHITECTURE.md';

/** All citations of `source`. The forms are described in CONTRIBUTING.md. */
export function citationsOf(source: Source, targets: Targets): Citation[] {
  const isDocument = source.path.endsWith('.md');
  const text = oneLine(source.text);
  const remarks = isDocument ? text : commentsOf(source.text).map(oneLine).join(' | ');
  const cited = [
    ...matches(text, /\bSpec: .{0,160}/g, ([words]) => specFault(words, targets)),
    ...matches(text, /\b[Cc]hoices? (\d[\d, -]*(?:and \d+)?)/g, ([, numbers]) =>
      choiceFault(numbers!, targets),
    ),
    ...matches(remarks, /(?<![\w/.@-])((?:[\w.-]+\/)*[\w-]+\.md)(?:#([\w-]+))?/g, (match) =>
      documentFault(source.path, match, targets),
    ),
    ...UNKNOWN_FORMS.flatMap((form) => matches(text, form, () => 'no known form of citation')),
    ...UNKNOWN_IN_REMARKS.flatMap((form) =>
      matches(isDocument ? '' : remarks, form, () => 'no known form of citation'),
    ),
    ...benchesOf(source, remarks, targets),
  ];
  return cited.map(({ words, fault }) => ({ path: source.path, words, fault }));
}

/** Numbers and names of lists that no document of the repository has. */
const UNKNOWN_FORMS = [
  /\b(?:Workflows: )?W\d{1,2}\b(?! ?=)/g,
  /\b[Tt]rap \(?[a-z]\b\)?(?! \w)/g,
  /\b[Gg]oal [A-Z]\d+\b/g,
  /\bMail: (?:rules|only|the)\b/g,
];
const UNKNOWN_IN_REMARKS = [/(?<![-\w/] ?)\b(?:Mail|Workflows|World|Providers|Style): .{0,20}/g];

/** `P7` names a bench, and only benches speak so. */
function benchesOf(source: Source, remarks: string, { exists }: Targets) {
  if (source.path.endsWith('.md')) return [];
  return matches(remarks, /(?<![\w'"`])[PR]\d{1,2}\b(?!['"`@])/g, ([words]) => {
    if (!source.path.startsWith('bench/')) return 'no known form of citation';
    return exists(`bench/${words.toLowerCase()}-`) ? null : 'no such bench';
  });
}

const HEADING = String.raw`(?:(?:GET|POST|PUT|PATCH|DELETE) /[\w/:-]+|[A-Za-z][a-z-]*(?: [a-z-]+)*)`;
const RULES = String.raw`rules? \d+(?:(?:, | and | to )\d+)*`;
const SPEC_CITATION = new RegExp(
  String.raw`^Spec: (${HEADING}(?:, (?:${RULES}|${HEADING}))*)(?=[.:]? |[.;)'"\x60]|$)`,
);

/** `Spec: Leads, rules 2 and 3`: headings of the notes, and numbers in the list under the last one. */
function specFault(words: string, { documents }: Targets): string | null {
  const cited = SPEC_CITATION.exec(words)?.[1];
  if (cited === undefined) return 'no heading is named';
  const notes = documents.get(SPEC_NOTES) ?? '';
  let section: string | undefined;
  for (const [part] of cited.matchAll(new RegExp(`${RULES}|[^,]+`, 'g'))) {
    const name = part.trim();
    if (new RegExp(`^${RULES}$`).test(name)) {
      for (const number of numbersOf(name)) {
        if (!rulesOf(section ?? '').includes(number)) return `no rule ${number} is there`;
      }
    } else {
      section = sectionOf(notes, name);
      if (section === undefined) return `${SPEC_NOTES} has no heading "${name}"`;
    }
  }
  return null;
}

/** `choices 4, 19-23`: rows of the table in ARCHITECTURE.md. */
function choiceFault(numbers: string, { documents }: Targets): string | null {
  const table = documents.get(CHOICES) ?? '';
  const rows = [...table.matchAll(/^\| (\d+) +\|/gm)].map(([, row]) => Number(row));
  const missing = numbersOf(numbers).filter((number) => !rows.includes(number));
  return missing.length === 0 ? null : `no choice ${missing.join(', ')} in ${CHOICES}`;
}

/** `docs/sending-rules.md#send-once`: from the root, in documents also from their own folder. */
function documentFault(from: string, match: RegExpMatchArray, targets: Targets): string | null {
  const [, path = '', anchor] = match;
  const candidates = from.endsWith('.md')
    ? [path, posix.join(posix.dirname(from), path)]
    : [path.replace(/^(?:\.\.\/)+/, '')];
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

/** What stands under a heading, up to the next one. */
function sectionOf(text: string, heading: string): string | undefined {
  const parts = text.split(/^#+ /m);
  const wanted = heading.toLowerCase();
  return parts.find((part) => part.split('\n', 1)[0]!.trim().toLowerCase() === wanted);
}

const rulesOf = (section: string): number[] =>
  [...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));

/** `2, 4-6 and 9` and `1 to 3`, each number by itself. */
const numbersOf = (list: string): number[] =>
  [...list.matchAll(/(\d+)(?:(?:-| to )(\d+))?/g)].flatMap(([, first, last]) => {
    const from = Number(first);
    return Array.from({ length: Number(last ?? first) - from + 1 }, (_, index) => from + index);
  });

/** Comments of TypeScript and shell. A glob in a string does not follow white space. */
const commentsOf = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*|# .*(?:\n\s*# .*)*)/gm,
    ),
  ].map(([comment]) => comment);

/** Lines joined, without what begins a line of a comment. */
const oneLine = (text: string): string => text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/|# )?\s*/g, ' ');

const matches = (
  text: string,
  form: RegExp,
  judge: (match: RegExpMatchArray) => string | null,
): { words: string; fault: string | null }[] =>
  [...text.matchAll(form)].map((match) => ({ words: match[0], fault: judge(match) }));
