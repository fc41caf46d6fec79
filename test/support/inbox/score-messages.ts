/**
 * Scores the classifier on a file of labelled messages, `[{id, class, raw}]`, and prints a confusion
 * matrix: `node --import tsx test/support/inbox/score-messages.ts <file.json>`.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { readMessage, type ReadMessage } from '../../../activities/inbox/read-message.ts';
import {
  isReSubject,
  kindAs,
  provesBounce,
  type Answered,
} from '../../../src/domain/inbox/mail-classification/index.ts';

export const CLASSES = [
  'reply',
  'auto_reply',
  'unsubscribe',
  'bounce',
  'complaint',
  'forged_bounce',
  'other',
] as const;
export type MessageClass = (typeof CLASSES)[number];
/** `needs_review` counts as missed, not as another class. */
export type TakenFor = MessageClass | 'needs_review';

export interface LabelledMessage {
  id: string;
  class: MessageClass;
  raw: string;
}

/** The one message that was sent, and the mailbox that sent it. */
const MAILBOX = { mailboxId: 1, address: 'anna@mail.acme-outreach.test' };
const SENT = { messageId: '<o.7f3a9c51@mail.acme-outreach.test>', verpTag: '7f3a9c51' };

const DATE = new Date('2026-11-21T10:00:00Z');

/** As the inbox reads it. */
export async function classOf(raw: string, sentSubject?: string): Promise<TakenFor> {
  const source = Buffer.from(raw.replaceAll(/\r?\n/g, '\r\n'));
  const fetched = { uid: 1, flags: [], internalDate: DATE, sizeBytes: source.length };
  const message = await readMessage(
    { ...fetched, source, isWhole: true },
    new Set([MAILBOX.address]),
  );
  const { verdict } = message;
  if (verdict.kind === 'bounce') return isProven(message) ? 'bounce' : 'forged_bounce';
  // Any name will do: complaint reports make people unknown.
  if (verdict.kind === 'complaint') return provesComplaint(message) ? 'complaint' : 'needs_review';
  const answered = answeredBy(message, sentSubject);
  const kind = kindAs(verdict, answered);
  if (kind === 'unsubscribe_request') return 'unsubscribe';
  if (kind === 'reply') return answered ? 'reply' : 'other';
  if (kind === 'message' || kind === 'bounce') return 'other';
  return kind;
}

const idsOf = ({
  verdict,
  inReplyTo,
  referenceIds,
}: ReadMessage): (string | null | undefined)[] => [
  verdict.facts.originalMessageId,
  inReplyTo,
  ...referenceIds,
];

/** The recipient is not known here: a report is judged by its own text. */
function isProven(message: ReadMessage): boolean {
  const { facts, reported } = message.verdict;
  if (facts.verpTag === SENT.verpTag) return true;
  if (!idsOf(message).includes(SENT.messageId)) return false;
  const { mailboxId } = MAILBOX;
  const { blamed = [], returnedTo = [] } = reported ?? {};
  // An alias is blamed by the name behind it.
  const domainsOf = (list: readonly string[]) => list.map((to) => to.slice(to.indexOf('@')));
  const returned = domainsOf(returnedTo);
  const isOneStory =
    blamed.length === 0 ||
    returned.length === 0 ||
    domainsOf(blamed).some((domain) => returned.includes(domain));
  const named = { mailboxId, recipientKey: blamed[0] ?? returnedTo[0] ?? null };
  return isOneStory && provesBounce(reported, named, { mailboxId, keyOf: (address) => address });
}

const provesComplaint = (message: ReadMessage): boolean =>
  message.verdict.facts.verpTag === SENT.verpTag ||
  (idsOf(message).includes(SENT.messageId) && !message.verdict.reported?.isOfOthers);

/**
 * No leads are known here, either: a message that answers nothing else, with `Re:` or our subject,
 * counts as an answer.
 */
function answeredBy(message: ReadMessage, sentSubject?: string): Answered | undefined {
  if (idsOf(message).includes(SENT.messageId)) return { by: 'headers' };
  const quotes = message.bodyText.includes(SENT.messageId.slice(1, -1));
  if (quotes || QUOTED.test(message.bodyText)) return { by: 'address' };
  const isOfOthers = message.inReplyTo !== null || message.referenceIds.length > 0;
  const isAnswering =
    isReSubject(message.subject) || TICKET.test(message.subject) || message.subject === sentSubject;
  return !isOfOthers && isAnswering ? { by: 'address' } : undefined;
}

/** `On Monday, Anna <anna@...> wrote:`, `> From: anna@...`. */
const QUOTED = /^.*anna@mail\.acme-outreach\.test.*[:：]\s*$|^[\s>]*\S{2,12}:.*anna@mail\.acme/imu;
/** The most frequent subject among the answers that name our message. */
function subjectOf(messages: readonly LabelledMessage[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { raw } of messages) {
    if (!new RegExp(`^In-Reply-To: ${SENT.messageId}`, 'im').test(raw)) continue;
    const subject = /^Subject: (?:[^\s:]{1,6}: )?(.{5,})$/im.exec(raw)?.[1]?.trim();
    if (subject !== undefined) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** `[#4711] A question`. */
const TICKET = /[[(][^\])]*\d{3,}[^\])]*[\])]|\b(?:ticket|case)\b.{0,10}\d{2,}/iu;

export interface Row {
  class: MessageClass;
  messages: number;
  precision: number;
  recall: number;
}

export interface MessageScore {
  rows: Row[];
  /** The confusion matrix: counts by true and by assigned class. */
  table: Record<MessageClass, Record<TakenFor, number>>;
  mistakes: { id: string; class: MessageClass; taken: TakenFor }[];
}

export async function scoreMessages(messages: readonly LabelledMessage[]): Promise<MessageScore> {
  const sentSubject = subjectOf(messages);
  const taken = await Promise.all(
    messages.map(async (each) => ({
      id: each.id,
      class: each.class,
      taken: await classOf(each.raw, sentSubject),
    })),
  );
  const count = (test: (each: (typeof taken)[number]) => boolean) => taken.filter(test).length;
  const columns: TakenFor[] = [...CLASSES, 'needs_review'];
  const table = Object.fromEntries(
    CLASSES.map((is) => [
      is,
      Object.fromEntries(
        columns.map((as) => [as, count((each) => each.class === is && each.taken === as)]),
      ),
    ]),
  ) as MessageScore['table'];
  const rows = CLASSES.map((is): Row => {
    const right = table[is][is];
    const messagesOf = count((each) => each.class === is);
    const takenFor = count((each) => each.taken === is);
    return {
      class: is,
      messages: messagesOf,
      precision: takenFor === 0 ? 1 : right / takenFor,
      recall: messagesOf === 0 ? 1 : right / messagesOf,
    };
  });
  return { rows, table, mistakes: taken.filter((each) => each.class !== each.taken) };
}

async function main(file: string): Promise<void> {
  const messages = JSON.parse(readFileSync(file, 'utf8')) as LabelledMessage[];
  const { rows, table, mistakes } = await scoreMessages(messages);
  console.table(table);
  console.table(
    Object.fromEntries(
      rows.map(({ class: name, precision, recall, ...rest }) => [
        name,
        { ...rest, precision: precision.toFixed(3), recall: recall.toFixed(3) },
      ]),
    ),
  );
  for (const { id, class: is, taken } of mistakes) console.log(`${id}: ${is}, taken for ${taken}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(process.argv[2] ?? 'test/corpus/messages.json');
}
