/** A memory budget that all sessions of a worker share for their messages in flight. */
import type { CampaignStep } from '../../src/domain/campaigns/campaigns.ts';
import { MAX_SIGNATURE_CHARS } from '../../src/domain/mailboxes/signatures.ts';

export interface MessageBudget {
  /** Opens the share of one session. */
  open(): MessageShare;
  usedBytes(): number;
}

export interface MessageShare {
  /** Sets what this session holds from now on, in bytes; 0 when it ends. */
  hold(bytes: number): void;
  /** How much this session may hold beside the others, in bytes. */
  mayHold(): number;
}

/**
 * Nothing waits here: a session asks before it claims, and claims fewer messages while others hold much.
 * Each may always have one in flight, so the budget is exceeded by at most one message per session.
 */
export function createMessageBudget(limitBytes: number): MessageBudget {
  let used = 0;
  return {
    usedBytes: () => used,
    open() {
      let mine = 0;
      return {
        hold(bytes) {
          used += bytes - mine;
          mine = bytes;
        },
        mayHold: () => Math.max(0, limitBytes - (used - mine)),
      };
    },
  };
}

/** Large enough never to hold back messages of the usual few kB. */
export const MESSAGE_BUDGET_BYTES = 128 * 1024 * 1024;

/** Text, HTML, both once more as they go over the wire, and the row that keeps the text. */
const COPIES = 6;
/** Overhead of a message in flight: its recipient, its headers and the SMTP dialogue. */
const MESSAGE_BYTES = 16 * 1024;
/** Before the texts are known: the API takes bodies of 100,000 characters. */
export const LARGEST_MESSAGE_BYTES = MESSAGE_BYTES + COPIES * (100_000 + MAX_SIGNATURE_CHARS);

/**
 * Upper bound of the bytes that one message holds while in flight: the sequence's largest message with
 * the largest signature.
 */
export function messageBytes(
  sequence: readonly CampaignStep[],
  signatures: readonly (string | null)[] = [],
): number {
  const bodies = sequence.flatMap(({ bodyTemplate, variants }) => [
    bodyTemplate,
    ...variants.map((variant) => variant.bodyTemplate),
  ]);
  return MESSAGE_BYTES + COPIES * (largest(bodies) + largest(signatures));
}

const largest = (texts: readonly (string | null)[]): number =>
  Math.max(0, ...texts.map((text) => Buffer.byteLength(text ?? '')));
