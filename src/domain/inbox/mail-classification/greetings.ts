/** Whom an answer greets: the person it came to. */
import { folded } from './folding.ts';
import type { MessageView } from './message.ts';

/** The words of the name, folded; of the address where there is no name. */
export function namesOf({ headers }: MessageView): string[] {
  const to = headers.get('to') ?? '';
  const [, name = '', local = ''] = /^\s*"?([^"<@,]*?)"?\s*<?([^<>@\s]*)@/.exec(to) ?? [];
  const words = folded(name).match(/\p{L}{3,}/gu) ?? folded(local).match(/\p{L}{3,}/gu) ?? [];
  return [...new Set(words)].slice(0, 3);
}
