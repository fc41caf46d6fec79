/** What each command of clients can call before the question that `confirm` asks, and behind it, read from the sources. */
import { Reader, type Declaration } from '../sources/called-operations.ts';
import type { SourceFile } from '../sources/import-check.ts';

/** A command as its source declares it. */
export interface DeclaredCommand {
  /** `src/cli/client/inbox.ts replyCommand`. */
  name: string;
  /** What it can call without a yes. */
  before: string[];
  /** What only a yes, or `--yes`, lets it call. */
  confirmed: string[];
  /** Whether it takes `--yes`. */
  hasYes: boolean;
}

export interface DeclaredCommands {
  commands: DeclaredCommand[];
  /** Their words, such as `reply`; each as often as there is one. */
  words: string[];
  /** Whatever these files call, by which command it may be. */
  called: string[];
}

const ACTION = /\.action\(/g;

/** With what is asked before the question itself: the plan that it shows. */
const QUESTION = /await confirm\([\s\S]*?\);\n/;

const WORD = /\b(?:\w*Command|search)\((?:io, )?\s*'([\w-]+)'/g;

/** All commands of these files; `operationIds` are those of the API's document. */
export function declaredCommands(
  files: readonly SourceFile[],
  operationIds: readonly string[],
): DeclaredCommands {
  const reader = new Reader(files, new Set(operationIds), isCommand);
  const all = files.flatMap(({ path }) => reader.declarationsOf(path));
  return {
    commands: all.filter(isCommand).map((one) => readCommand(reader, one)),
    words: all.flatMap(({ text }) => [...text.matchAll(WORD)].map(([, word]) => word!)),
    called: reader.operationsIn(all),
  };
}

function isCommand({ path, text }: Declaration): boolean {
  const actions = text.match(ACTION)?.length ?? 0;
  if (actions > 1) throw new Error(`${path}: declare one command at a time`);
  return actions === 1;
}

function readCommand(reader: Reader, command: Declaration): DeclaredCommand {
  const before = new Set<Declaration>();
  const behind = new Set<Declaration>();
  const seen = new Set([command]);
  for (const one of seen) {
    const [head, rest] = halvesOf(one);
    before.add(head);
    if (rest) behind.add(rest);
    for (const named of reader.namedBy(head)) seen.add(named);
  }
  const [, name] = /(?:const|function) (\w+)/.exec(command.text) ?? [];
  return {
    name: `${command.path} ${name}`,
    before: reader.operationsIn(before),
    confirmed: reader.operationsIn(reader.reachedFrom([...behind])),
    hasYes: [...seen].some(({ text }) => /\bwithYes\(/.test(text)),
  };
}

/** Up to the question and with it; and what comes after the answer, where there is a question. */
function halvesOf(one: Declaration): [Declaration, Declaration?] {
  const [asked] = QUESTION.exec(one.text) ?? [];
  if (asked === undefined) return [one];
  const end = one.text.indexOf(asked) + asked.length;
  const part = (text: string) => ({ path: one.path, text });
  return [part(one.text.slice(0, end)), part(one.text.slice(end))];
}
