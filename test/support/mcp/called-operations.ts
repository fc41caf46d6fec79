/** Which operations of the API each tool can call, read from the sources: through every helper that it uses. */
import { posix } from 'node:path';
import { importsOf, withoutComments, type SourceFile } from '../sources/import-check.ts';

/** A tool as its source declares it. */
export interface DeclaredTool {
  name: string;
  /** Whether a confirmation stands between a quote and its effect. */
  isTwoStep: boolean;
  /** What it can call before that, or at all. */
  before: string[];
  /** What only the confirmed call does; empty for tools of one step. */
  confirmed: string[];
}

interface Declaration {
  path: string;
  text: string;
}

/** Operations are written out as `resource.verb`, and no tool runs another: whatever would hide a call is an error. */
const HIDING = /\boutreach\s*(\?\.)?\[|\}\s*=\s*outreach\.\w+;|\boutreach\.\w+\s*\[|\w\.run\(/;

/** Others name tools only to list them, or have the same word in a text. */
const TOOL = /= (tool|twoStep)\(\{\n  name: '(\w+)'/;

/** All tools of these files; `operationIds` are those of the API's document. */
export function declaredTools(
  files: readonly SourceFile[],
  operationIds: readonly string[],
): DeclaredTool[] {
  const reader = new Reader(files, new Set(operationIds));
  return files.flatMap(({ path }) =>
    reader.declarationsOf(path).flatMap(({ text }) => {
      const [, kind, name] = TOOL.exec(text) ?? [];
      if (name === undefined) return [];
      const act = kind === 'twoStep' ? memberOf(text, 'act') : '';
      return {
        name,
        isTwoStep: kind === 'twoStep',
        before: reader.callsOf({ path, text: text.replace(act, '') }),
        confirmed: reader.callsOf({ path, text: act }),
      };
    }),
  );
}

/** A member of the object that a declaration is made of, as Prettier writes it. */
function memberOf(text: string, name: string): string {
  const members = text.split(/\n(?=  (?:async )?\w+[:(])/);
  const found = members.find((member) => new RegExp(`^  (async )?${name}[:(]`).test(member));
  if (found === undefined) throw new Error(`There is no ${name} in ${text}`);
  return found;
}

class Reader {
  readonly #declarations = new Map<string, Map<string, Declaration>>();
  /** By file and local name: where it comes from. */
  readonly #imports = new Map<string, Map<string, string>>();
  readonly #operationIds: ReadonlySet<string>;

  constructor(files: readonly SourceFile[], operationIds: ReadonlySet<string>) {
    this.#operationIds = operationIds;
    for (const { path, text } of files) {
      const code = withoutComments(text);
      if (HIDING.test(code)) throw new Error(`${path}: write operations as resource.verb`);
      this.#declarations.set(path, split(path, code));
      const named = importsOf(code).flatMap(({ specifier, names }) =>
        names.map((name) => [name, posix.join(posix.dirname(path), specifier)] as const),
      );
      this.#imports.set(path, new Map(named));
    }
  }

  declarationsOf = (path: string): Declaration[] => [...this.#declarations.get(path)!.values()];

  /** What a text calls, by itself and by all that it names. */
  callsOf(start: Declaration): string[] {
    const seen = new Set<Declaration>([start]);
    // A set that grows while it is walked has its new members walked, too.
    for (const { path, text } of seen) {
      for (const [word] of text.matchAll(/\w+/g)) {
        const from = this.#imports.get(path)?.get(word) ?? path;
        const named = this.#declarations.get(from)?.get(word);
        if (named && !TOOL.test(named.text)) seen.add(named);
      }
    }
    const calls = [...seen].flatMap(({ text }) =>
      [...text.matchAll(/(\w+)(?=\s*\??\.\s*(\w+))/g)].map(([, noun, verb]) => `${noun}.${verb}`),
    );
    return [...new Set(calls)].filter((call) => this.#operationIds.has(call)).toSorted();
  }
}

/** By name, each up to the next one. */
function split(path: string, code: string): Map<string, Declaration> {
  const starts = /^(?=(?:export )?(?:async )?(?:const|function|class|interface|type) \w)/gm;
  return new Map(
    code.split(starts).flatMap((text) => {
      const [, name] = /^(?:export )?(?:async )?(?:const|function|class) (\w+)/.exec(text) ?? [];
      return name === undefined ? [] : [[name, { path, text }]];
    }),
  );
}
