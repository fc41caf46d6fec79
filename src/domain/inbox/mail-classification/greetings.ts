/** Whom an answer greets, and who signs it. */
import { folded } from './folding.ts';
import type { LetterView } from './letter.ts';

/** The words of the name, folded; of the address where there is no name. */
export function namesOf({ headers }: LetterView): string[] {
  const to = headers.get('to') ?? '';
  const [, name = '', local = ''] = /^\s*"?([^"<@,]*?)"?\s*<?([^<>@\s]*)@/.exec(to) ?? [];
  return wordsOf(name, local);
}

/** The words of the writer's name or address, folded. */
export const writersNames = ({ fromName, fromAddress }: LetterView): string[] =>
  wordsOf(fromName, fromAddress.split('@')[0]!);

function wordsOf(name: string, local: string): string[] {
  const words = folded(name).match(/\p{L}{3,}/gu) ?? folded(local).match(/\p{L}{3,}/gu) ?? [];
  return [...new Set(words)].slice(0, 3);
}
