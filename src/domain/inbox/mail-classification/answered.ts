/** What a message is, once it is known which of our messages it answers or is about. */
import type { MessageKind } from '../inbox.ts';
import type { Reported, Verdict } from './message.ts';

/** How our message was found. */
export interface Answered {
  /** `copy`: it is that message itself; `address`: its writer is somebody who was written to. */
  by: 'copy' | 'headers' | 'verp' | 'address';
}

export function kindAs(
  { kind, ifAnswers }: Pick<Verdict, 'kind' | 'ifAnswers'>,
  answered: Answered | undefined,
): MessageKind {
  if (answered === undefined) return kind;
  if (answered.by === 'copy') return 'message';
  return kind === 'message' ? ifAnswers : kind;
}

/** A message of ours that a report names by its Message-ID. */
export interface NamedSend {
  mailboxId: number;
  /** Whom it went to, as a key; null: erased. */
  recipientKey: string | null;
}

/**
 * Anybody can write a report, and whom it names is no proof. The Message-ID of a message is: hosts that
 * handled it know it, if it came back to the mailbox that sent it, and speaks of the one it went to.
 */
export function provesBounce(
  reported: Reported | undefined,
  named: NamedSend,
  { mailboxId, keyOf }: { mailboxId: number; keyOf: (address: string) => string | null },
): boolean {
  if (named.mailboxId !== mailboxId || reported?.isOfOthers) return false;
  const keys = [...(reported?.blamed ?? []), ...(reported?.returnedTo ?? [])].map(keyOf);
  return named.recipientKey === null || keys.length === 0 || keys.includes(named.recipientKey);
}

/** Re:, AW:, Sv:, Odp: ... of mail programs that keep no In-Reply-To. */
export const isReSubject = (subject = ''): boolean =>
  /^\s*(?:re|aw|antw(?:ort)?|sv|vs|odp|rif|r|res|ynt|tr|отв|отп|відп|回复|回覆|答复|返信|vá|απ|σχετ|תגובה|השב|رد)(?:\[\d+\])?\s*[:：]/iu.test(
    subject,
  );
