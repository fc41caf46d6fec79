/** Which operations of the API a piece of source can call: through every helper that it uses. */
import { posix } from 'node:path';
import { importsOf, withoutComments, type SourceFile } from './import-check.ts';

/** One at the top of a file, or a part of one. */
export interface Declaration {
  path: string;
  text: string;
}

/** Operations are written out as `resource.verb`, and nothing runs another tool: whatever would hide a call is an error. */
const HIDING = /\boutreach\s*(\?\.)?\[|\}\s*=\s*outreach\.\w+;|\boutreach\.\w+\s*\[|\w\.run\(/;

/** Reads declarations of source files, and what of the API they call. */
export class Reader {
  readonly #declarations = new Map<string, Map<string, Declaration>>();
  /** By file and local name: where it comes from. */
  readonly #imports = new Map<string, Map<string, string>>();
  readonly #operationIds: ReadonlySet<string>;
  readonly #isApart: (named: Declaration) => boolean;

  /** `isApart`: what is looked at by itself, also where another declaration names it. */
  constructor(
    files: readonly SourceFile[],
    operationIds: ReadonlySet<string>,
    isApart: (named: Declaration) => boolean,
  ) {
    this.#operationIds = operationIds;
    this.#isApart = isApart;
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
    return this.operationsIn(this.reachedFrom([start]));
  }

  /** These texts, and whatever they name. */
  reachedFrom(starts: readonly Declaration[]): Set<Declaration> {
    const seen = new Set<Declaration>(starts);
    // A set that grows while it is walked has its new members walked, too.
    for (const one of seen) for (const named of this.namedBy(one)) seen.add(named);
    return seen;
  }

  namedBy({ path, text }: Declaration): Declaration[] {
    return [...text.matchAll(/\w+/g)].flatMap(([word]) => {
      const from = this.#imports.get(path)?.get(word) ?? path;
      const named = this.#declarations.get(from)?.get(word);
      return named && !this.#isApart(named) ? [named] : [];
    });
  }

  operationsIn(texts: Iterable<Declaration>): string[] {
    const calls = [...texts].flatMap(({ text }) =>
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
