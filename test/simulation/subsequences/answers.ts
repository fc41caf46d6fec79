/** What people have answered, and which answers begin a subsequence: implemented independently of the product. */
import type { Interest } from '../../../src/domain/inbox/interest/interest.ts';
import type { History } from '../history.ts';

/** Texts whose meaning nobody doubts. */
export const TEXTS: readonly { text: string; interest: Interest }[] = [
  { text: 'Ask again next year.', interest: 'not_now' },
  { text: 'Please send me more information.', interest: 'interested' },
  { text: 'What does it cost?', interest: 'question' },
  { text: 'Not for us.', interest: 'not_interested' },
];

export interface GivenAnswer {
  at: number;
  /** As it was judged, and then corrected; null: none. */
  interest: History<Interest | null>;
  /** That of the message which it answers. */
  campaignId: number;
  /** The mailbox that has got it. */
  mailboxId: number;
  messageId: string;
  /** The message that it answers. */
  inReplyTo: string;
  subject: string;
}

/** Whom a campaign takes in. */
export interface StartRule {
  /** Answers to this campaign; null: to any other one. */
  campaignId: number | null;
  interests: readonly Interest[];
  afterMs: number;
}

/** A campaign that people enter by their answers. */
export interface Subsequence {
  id: number;
  /** Null: nobody enters it any more. */
  startsOn?: History<StartRule | null>;
}

/** A lead that is in a subsequence, since when, and by which answer. */
export interface Entry {
  at: number;
  answer: GivenAnswer | undefined;
}

/** Of each lead, oldest first. */
export function createAnswers() {
  const given = new Map<number, GivenAnswer[]>();
  const entries = new Map<string, Entry>();
  const byMessage = new Map<string, GivenAnswer[]>();
  const of = (leadId: number): readonly GivenAnswer[] => given.get(leadId) ?? [];
  return {
    of,
    give(leadId: number, answer: GivenAnswer): void {
      given.set(leadId, [...of(leadId), answer]);
    },
    /** Also of somebody who is deleted by now. */
    hear: (answer: GivenAnswer) =>
      void byMessage.set(answer.inReplyTo, [...(byMessage.get(answer.inReplyTo) ?? []), answer]),
    /** To that message. */
    to: (messageId: string): readonly GivenAnswer[] => byMessage.get(messageId) ?? [],
    /** The last one right before that moment, and all of that moment. */
    lastAt: (leadId: number, at: number): GivenAnswer[] => [
      ...of(leadId)
        .filter((one) => one.at < at)
        .slice(-1),
      ...of(leadId).filter((one) => one.at === at),
    ],
    enter: (campaignId: number, leadId: number, entry: Entry) =>
      void entries.set(`${campaignId}/${leadId}`, entry),
    entryOf: (campaignId: number, leadId: number) => entries.get(`${campaignId}/${leadId}`),
    entered: () => entries.size,
  };
}

export type Answers = ReturnType<typeof createAnswers>;

export const isWanted = (
  rule: StartRule | null,
  own: number,
  answer: { campaignId: number; interest: Interest | null },
): boolean =>
  rule !== null &&
  answer.interest !== null &&
  rule.interests.includes(answer.interest) &&
  answer.campaignId !== own &&
  (rule.campaignId ?? answer.campaignId) === answer.campaignId;

/** The answers that may let the lead write itself into the campaign at that moment; what was said before counts as well. */
export function answersThatBegin(
  answers: Answers,
  { id, startsOn }: Subsequence,
  { leadId, at }: { leadId: number; at: number },
): GivenAnswer[] {
  const rules = startsOn?.during(-Infinity, at).map(({ value }) => value) ?? [];
  return answers
    .lastAt(leadId, at)
    .filter(({ campaignId, interest, at: since }) =>
      interest
        .during(-Infinity, at)
        .some(({ value }) =>
          rules.some(
            (rule) =>
              isWanted(rule, id, { campaignId, interest: value }) && since + rule!.afterMs <= at,
          ),
        ),
    );
}
