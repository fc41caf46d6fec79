/** Checks sources against the import table: takes files with texts, returns violations. */
import { posix } from 'node:path';
import { environmentReaders, type ImportRow } from './import-table.ts';

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  path: string;
  text: string;
}

/** One import of one file, as written in the source. */
export interface Import {
  specifier: string;
  isType: boolean;
  /** Imported names; empty for namespaces, side effects and dynamic imports. */
  names: string[];
}

/** Every violation as one readable line. */
export function checkImports(files: readonly SourceFile[], table: readonly ImportRow[]): string[] {
  return files.flatMap((file) => {
    const found = table.map((row) => ({ row, star: matchAny(row.files, file.path) }));
    const governing = found.find(({ star }) => star !== undefined);
    if (!governing) return [`${file.path}: no row of the import table governs this file`];
    const { row, star } = governing;
    const code = withoutComments(file.text);
    const breaches = importsOf(code).flatMap((one) => breachOf(file.path, one, row, star ?? ''));
    if (/\bprocess\s*\.\s*env\b/.test(code) && !environmentReaders.includes(file.path)) {
      breaches.push(`reads process.env; only ${environmentReaders.join(' and ')} may`);
    }
    return breaches.map((breach) => `${file.path}: ${breach}`);
  });
}

/** Characters before `import(` that tell whether it is a type; lines may break between. */
const LONGEST_WORD_BEFORE = 60;

/** Static, side-effect, re-exporting and dynamic imports, and `import('x')` in types. */
export function importsOf(code: string): Import[] {
  const statement =
    /\b(import|export)\s+(type\s+)?((?:[\w$]+\s*,\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)|[\w$]+)\s*from\s*['"]([^'"]+)['"]/g;
  const found: Import[] = [...code.matchAll(statement)].map((match) => ({
    specifier: match[4]!,
    isType: match[2] !== undefined,
    names: namesOf(match[3]!),
  }));
  for (const match of code.matchAll(/(?<![./\w'"])import\s*['"]([^'"]+)['"]/g)) {
    found.push({ specifier: match[1]!, isType: false, names: [] });
  }
  for (const match of code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) {
    const before = code.slice(Math.max(0, match.index - LONGEST_WORD_BEFORE), match.index);
    const isType = /(?:\b(?:as|typeof|extends|keyof)|[:<|])\s*$/.test(before);
    found.push({ specifier: match[1]!, isType, names: [] });
  }
  return found;
}

/** Own files that a file imports, relative to the repository; those of types, too. */
export const importedFiles = ({ path, text }: SourceFile): string[] =>
  importsOf(withoutComments(text))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix.join(posix.dirname(path), specifier));

function breachOf(path: string, one: Import, row: ImportRow, star: string): string[] {
  const { specifier, isType } = one;
  if (!specifier.startsWith('.')) return packageBreach(one, row);
  const target = posix.join(posix.dirname(path), specifier);
  const fits = (patterns: readonly string[] = []) =>
    matchAny(
      patterns.map((pattern) => pattern.replace('$1', star)),
      target,
    ) !== undefined;
  if (fits(row.may)) return [];
  if (!fits(row.mayType)) return [`may not import ${target}`];
  return isType ? [] : [`may import ${target} by "import type" only`];
}

function packageBreach({ specifier, names }: Import, row: ImportRow): string[] {
  const isOneOf = (packages: readonly string[]) =>
    packages.some((name) =>
      /[/:]$/.test(name)
        ? specifier.startsWith(name)
        : specifier === name || specifier.startsWith(`${name}/`),
    );
  const refused =
    'only' in row.packages ? !isOneOf(row.packages.only) : isOneOf(row.packages.never);
  if (refused) return [`may not import the package ${specifier}`];
  const { names: allowed } = row;
  const strange = allowed ? names.filter((name) => !allowed.test(name)) : [];
  return strange.map((name) => `may not import ${name} from ${specifier}`);
}

/** What `*` stood for ('' without one), or undefined when no pattern fits. */
function matchAny(patterns: readonly string[], path: string): string | undefined {
  for (const pattern of patterns) {
    const source = pattern.replaceAll('.', '\\.').replace('*', '([^/]+)');
    const match = new RegExp(`^${source}${pattern.endsWith('/') ? '' : '$'}`).exec(path);
    if (match) return match[1] ?? '';
  }
  return undefined;
}

const namesOf = (clause: string): string[] =>
  (/\{([^}]*)\}/.exec(clause)?.[1] ?? '')
    .split(',')
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0]!,
    )
    .filter(Boolean);

/** Removes comments but keeps strings: a specifier is a string, and `//` inside one is no comment. */
export const withoutComments = (text: string): string =>
  text.replaceAll(
    /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|(?<![:/\\[])\/\/[^\n]*/g,
    (_match, literal?: string) => literal ?? '',
  );
