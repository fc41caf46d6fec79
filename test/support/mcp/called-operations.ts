/** Which operations of the API each tool can call, read from the sources: through every helper that it uses. */
import { Reader } from '../sources/called-operations.ts';
import type { SourceFile } from '../sources/import-check.ts';

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

/** Others name tools only to list them, or have the same word in a text. */
const TOOL = /= (tool|twoStep)\(\{\n  name: '(\w+)'/;

/** All tools of these files; `operationIds` are those of the API's document. */
export function declaredTools(
  files: readonly SourceFile[],
  operationIds: readonly string[],
): DeclaredTool[] {
  const reader = new Reader(files, new Set(operationIds), ({ text }) => TOOL.test(text));
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
