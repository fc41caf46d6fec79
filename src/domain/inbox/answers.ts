/** What a message that answers or forwards another one says about it. RFC 5322, 3.6.4 and 3.6.5. */
import { oneLine } from '../campaigns/templates.ts';

/** Longer chains of references are cut in the middle: the first one identifies the thread. */
const MAX_REFERENCES = 20;

/** The references of an answer: those of the message, and the message itself. */
export function referencesOf(message: {
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
}): string[] {
  const { messageId, inReplyTo, references } = message;
  const before = references.length > 0 ? references : inReplyTo === null ? [] : [inReplyTo];
  const chain = [...new Set([...before, messageId])];
  if (chain.length <= MAX_REFERENCES) return chain;
  return [chain[0]!, ...chain.slice(1 - MAX_REFERENCES)];
}

/** `Fwd:` once. */
export const forwardSubject = (subject: string): string =>
  /^\s*(?:fwd?|wg|tr|rv|enc)\s*:/i.test(subject) ? oneLine(subject) : oneLine(`Fwd: ${subject}`);

/** The message as it came, under what the sender of a forward says. */
export function forwardedText(message: {
  from: string;
  to: string;
  sentAt: Date;
  subject: string;
  text: string;
}): string {
  const head = [
    '---------- Forwarded message ----------',
    `From: ${oneLine(message.from)}`,
    `Date: ${message.sentAt.toUTCString()}`,
    `Subject: ${oneLine(message.subject)}`,
    `To: ${oneLine(message.to)}`,
  ];
  return `${head.join('\n')}\n\n${message.text}`;
}
