/**
 * The world's mail servers in a simulation: they accept, refuse, defer or lose messages, and processes
 * die with them.
 */
import { ProviderError } from '../../src/domain/errors.ts';
import type {
  MailboxAccess,
  RawMessage,
  SubmissionSession,
} from '../../src/providers/mail-transport/port.ts';

/** What happens to one message. */
export type Fate =
  | 'taken'
  | 'put_off'
  | 'host_busy'
  | 'no_such_user'
  | 'spam_refused'
  | 'way_lost'
  | 'lost_before_text'
  | 'lost_after_text'
  | 'dies_before_text'
  | 'dies_in_text'
  | 'dies_after_taking';

/** The one address that a campaign's message goes to. */
export const recipientOf = ({ to }: RawMessage): string => [to].flat()[0]!;

/** Called when the text has begun. */
export type Began = () => void;

export interface MailServerRules {
  fate(message: RawMessage): Promise<Fate>;
  /**
   * Called right before the process asks whether it may begin; the returned function is called when the
   * text has begun.
   */
  before(message: RawMessage): Promise<Began>;
  /** The recipient has received it. */
  delivered(message: RawMessage): void;
  /** Whether the recipient has received it is unknown. */
  lost(message: RawMessage): void;
  /** kill -9 of the process that sends. */
  die(): void;
  /** Called before the text, and in it: what may happen meanwhile. */
  pass?(): Promise<void>;
  /** Messages being sent. */
  underWay: { count: number };
}

const refused = (kind: 'rejected' | 'rate_limited', reply: string) =>
  new ProviderError(kind, `the server refuses the message: ${reply}`, {
    provider: 'mail-transport',
    providerCode: reply.slice(0, 3),
    reply,
  });

/** Large providers' replies about spam and policies, which say nothing about the address. */
const SPAM_REPLIES = [
  '550 5.7.1 Our system has detected that this message is likely unsolicited mail',
  '550 5.7.26 This mail has been blocked because the sender is unauthenticated',
  '550 5.7.350 Remote server returned message detected as spam',
  '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP',
  '554 5.7.9 Message not accepted for policy reasons',
];

/** RFC 3463, 3.5: the route to the server failed, permanently by its code. */
const WAY_REPLIES = [
  '554 5.4.6 Hop count exceeded - possible mail loop',
  '550 5.4.316 Message expired, connection refused',
];

const replyOf = (replies: readonly string[], { raw }: RawMessage): string =>
  replies[raw.length % replies.length]!;

const lost = (kind: 'unavailable' | 'outcome_unknown') =>
  new ProviderError(kind, 'the line broke', { provider: 'mail-transport', providerCode: 'ECONN' });

/** A promise that never settles: the process is dead. */
const never = () => new Promise<never>(() => undefined);

/** A connection of one process; after that has died, nothing it does ever ends. */
export function openSimulatedSession(
  rules: MailServerRules,
  isDead: () => boolean,
): (mailbox: MailboxAccess) => Promise<SubmissionSession> {
  return async () => ({
    async send(message, beforeText) {
      rules.underWay.count += 1;
      try {
        return await accept(message, beforeText);
      } finally {
        rules.underWay.count -= 1;
      }
    },
    isUsable: () => true,
    close: () => undefined,
  });

  async function accept(message: RawMessage, beforeText: () => Promise<void>) {
    if (isDead()) return hang();
    const fate = await rules.fate(message);
    await rules.pass?.();
    if (isDead()) return hang();
    // A temporary failure of the recipient's server, or of our own host.
    if (fate === 'put_off') throw refused('rate_limited', '450 4.2.0 <x> mailbox is busy');
    if (fate === 'host_busy') throw refused('rate_limited', '451 4.7.1 try again later');
    if (fate === 'no_such_user') throw refused('rejected', '550 5.1.1 no such user here');
    if (fate === 'spam_refused') throw refused('rejected', replyOf(SPAM_REPLIES, message));
    if (fate === 'way_lost') throw refused('rejected', replyOf(WAY_REPLIES, message));
    if (fate === 'lost_before_text') throw lost('unavailable');
    if (fate === 'dies_before_text') return die();
    const began = await rules.before(message);
    await beforeText();
    began();
    await rules.pass?.();
    if (isDead()) return hang();
    if (fate === 'lost_after_text') {
      rules.lost(message);
      throw lost('outcome_unknown');
    }
    if (fate === 'dies_in_text') return die();
    rules.delivered(message);
    if (fate === 'dies_after_taking') return die();
    return { reply: '250 2.0.0 Ok: queued', refused: [] };
  }

  function die(): Promise<never> {
    rules.die();
    return hang();
  }

  function hang(): Promise<never> {
    // The work is abandoned; `finally` of `send` never runs.
    rules.underWay.count -= 1;
    return never();
  }
}
