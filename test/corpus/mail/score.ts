/** How well letters are told apart: precision and recall of each kind. */
import { readMessage } from '../../../activities/inbox/read-message.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../../src/domain/inbox/inbox.ts';
import { MAILBOX, RECEIVED, type LabelledMessage } from './message.ts';

export interface Score {
  kind: MessageKind;
  messages: number;
  precision: number;
  recall: number;
}

export interface Scored {
  scores: Score[];
  /** What was taken for something else, and facts that were misread. */
  mistakes: string[];
}

/** Reads each letter as the sync does. */
export async function scoreMessages(messages: readonly LabelledMessage[]): Promise<Scored> {
  const mistakes: string[] = [];
  const pairs: { is: MessageKind; taken: MessageKind }[] = [];
  for (const { name, kind, facts = {}, raw } of messages) {
    const source = Buffer.from(raw);
    const fetched = { uid: 1, flags: [], internalDate: RECEIVED, sizeBytes: source.length };
    const read = await readMessage({ ...fetched, source, isWhole: true }, new Set([MAILBOX]));
    pairs.push({ is: kind, taken: read.verdict.kind });
    if (read.verdict.kind !== kind) mistakes.push(`${name}: ${read.verdict.kind}`);
    const found = read.verdict.facts as Record<string, unknown>;
    for (const [fact, value] of Object.entries(facts)) {
      if (found[fact] !== value) mistakes.push(`${name}: ${fact} is ${String(found[fact])}`);
    }
  }
  const count = (test: (pair: (typeof pairs)[number]) => boolean) => pairs.filter(test).length;
  const scores = MESSAGE_KINDS.map((kind): Score => {
    const right = count(({ is, taken }) => is === kind && taken === kind);
    const messageCount = count(({ is }) => is === kind);
    const taken = count((pair) => pair.taken === kind);
    return {
      kind,
      messages: messageCount,
      precision: taken === 0 ? 1 : right / taken,
      recall: messageCount === 0 ? 1 : right / messageCount,
    };
  });
  return { scores, mistakes };
}
