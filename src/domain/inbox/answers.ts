/** What a letter that answers or forwards another one says about it. RFC 5322, 3.6.4 and 3.6.5. */
import { oneLine } from '../campaigns/templates.ts';

/** Longer chains of references are cut in the middle: the first names the thread. */
const MAX_REFERENCES = 20;

/** The references of an answer: those of the letter, and the letter itself. */
export function referencesOf(letter: {
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
}): string[] {
  const { messageId, inReplyTo, references } = letter;
  const before = references.length > 0 ? references : inReplyTo === null ? [] : [inReplyTo];
  const chain = [...new Set([...before, messageId])];
  if (chain.length <= MAX_REFERENCES) return chain;
  return [chain[0]!, ...chain.slice(1 - MAX_REFERENCES)];
}

/** `Fwd:` once. */
export const forwardSubject = (subject: string): string =>
  /^\s*(?:fwd?|wg|tr|rv|enc)\s*:/i.test(subject) ? oneLine(subject) : oneLine(`Fwd: ${subject}`);

/** The letter as it came, under what the sender of a forward says. */
export function forwardedText(letter: {
  from: string;
  to: string;
  sentAt: Date;
  subject: string;
  text: string;
}): string {
  const head = [
    '---------- Forwarded message ----------',
    `From: ${oneLine(letter.from)}`,
    `Date: ${letter.sentAt.toUTCString()}`,
    `Subject: ${oneLine(letter.subject)}`,
    `To: ${oneLine(letter.to)}`,
  ];
  return `${head.join('\n')}\n\n${letter.text}`;
}
