/** The kind of a message, once the message of ours that it answers or reports is known. */
import type { MessageKind } from '../inbox.ts';
import type { Reported, Verdict } from './message.ts';

/** How our message was found. */
export interface Answered {
  /** `copy`: it is that message itself; `address`: its writer is a recipient of ours. */
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
 * Anyone can forge a report, so a recipient named in it proves nothing. The Message-ID does, since only hosts
 * that handled the message know it: if the report came to the mailbox that sent it, and names its recipient.
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
