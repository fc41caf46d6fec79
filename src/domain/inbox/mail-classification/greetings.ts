/** The name that an answer greets, and the name that signs it. */
import { folded } from './folding.ts';
import type { MessageView } from './message.ts';

/** The first recipient stands within; the pattern takes n² steps. */
const MAX_TO_CHARS = 500;

/** The words of the name, folded; of the address where there is no name. */
export function namesOf({ headers }: MessageView): string[] {
  const to = (headers.get('to') ?? '').slice(0, MAX_TO_CHARS);
  const [, name = '', local = ''] = /^\s*"?([^"<@,]*?)"?\s*<?([^<>@\s]*)@/.exec(to) ?? [];
  return wordsOf(name, local);
}

/** The words of the writer's name or address, folded. */
export const writersNames = ({ fromName, fromAddress }: MessageView): string[] =>
  wordsOf(fromName, fromAddress.split('@')[0]!);

const MAX_HEADING_LINES = 12;
const MAX_GREETING = 40;

/** Helpdesks put a heading above their agents' text, which begins with a greeting. */
export function fromGreeting(words: string, names: readonly string[]): string {
  const lines = words.split('\n');
  const at = lines.slice(0, MAX_HEADING_LINES).findIndex((line) => {
    if (line.length > MAX_GREETING) return false;
    const said = folded(line)
      .trim()
      .replace(/[,!.:]$/, '')
      .split(' ');
    return (
      said.length > 1 &&
      said.length <= 3 &&
      !names.includes(said[0]!) &&
      names.includes(said.at(-1)!)
    );
  });
  return at <= 0 ? words : lines.slice(at).join('\n');
}

function wordsOf(name: string, local: string): string[] {
  const words = folded(name).match(/\p{L}{3,}/gu) ?? folded(local).match(/\p{L}{3,}/gu) ?? [];
  return [...new Set(words)].slice(0, 3);
}
