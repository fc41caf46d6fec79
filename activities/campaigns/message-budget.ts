/** Memory of the messages that all rounds of a worker have in the works: they share one budget. */
import type { CampaignStep } from '../../src/domain/campaigns/campaigns.ts';
import { MAX_SIGNATURE_CHARS } from '../../src/domain/mailboxes/signatures.ts';

export interface MessageBudget {
  /** The share of one round. */
  open(): MessageShare;
  usedBytes(): number;
}

export interface MessageShare {
  /** What this round holds from now on, bytes; 0 when it ends. */
  hold(bytes: number): void;
  /** How much this round may hold beside the others, bytes. */
  mayHold(): number;
}

/**
 * Nobody waits here: a round asks before it claims, and claims fewer messages where others hold much.
 * It always may have one in the works, so that the budget is passed by a message of each round at most.
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

/** Messages of the usual few kB are never held back by it. */
export const MESSAGE_BUDGET_BYTES = 128 * 1024 * 1024;

/** Text, HTML, both once more as they go over the wire, and the row that keeps the text. */
const COPIES = 6;
/** Of a message in the works: its recipient, its headers and the talk about it. */
const MESSAGE_BYTES = 16 * 1024;
/** Before the texts are known: the API takes bodies of 100,000 characters. */
export const LARGEST_MESSAGE_BYTES = MESSAGE_BYTES + COPIES * (100_000 + MAX_SIGNATURE_CHARS);

/** Bytes that the largest message of the sequence, with the largest of the signatures, holds while it is in the works, rather too many. */
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
