/** What answers mean, and what clients have corrected. */
import { createHash } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Interest, InterestJudge, Judgement } from '../../domain/inbox/interest/interest.ts';
import type { MessageKind } from '../../domain/inbox/inbox.ts';
import { answerWords } from '../../domain/inbox/interest/answer-words.ts';
import type { Database } from '../tables.ts';

/** A digest of what an answer says. */
export const wordsKey = (text: string): string =>
  createHash('sha256').update(answerWords(text)).digest('hex').slice(0, 40);

/** A thumb up, a file alone, a quote alone: having no words in common is not saying the same. */
const NO_WORDS = wordsKey('');

/** By the key of their words: the latest one for each. What has no words is like no other answer. */
export async function listCorrections(
  db: Kysely<Database>,
  userId: string,
  wordsKeys: readonly string[],
): Promise<Map<string, Interest | null>> {
  const keys = [...new Set(wordsKeys)].filter((key) => key !== NO_WORDS);
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('interest_corrections')
    .distinctOn('words_key')
    .select(['words_key', 'interest'])
    .where('user_id', '=', userId)
    .where('words_key', '=', sql<string>`any(${keys}::text[])`)
    .orderBy('words_key')
    .orderBy('corrected_at', 'desc')
    .execute();
  return new Map(rows.map(({ words_key, interest }) => [words_key, interest]));
}

export interface JudgedMessage {
  id: number;
  userId: string;
  threadId: number;
  mailboxId: number;
  campaignId: number | null;
  leadId: number | null;
  kind: MessageKind;
  text: string;
  interest: Interest | null;
  by: InterestJudge | null;
}

/** A received message of the user, locked. Needs `lockInbox`. */
export async function lockJudgedMessage(
  trx: Transaction<Database>,
  { userId, id }: { userId: string; id: number },
): Promise<JudgedMessage | undefined> {
  return trx
    .selectFrom('messages')
    .select(['id', 'user_id as userId', 'thread_id as threadId', 'mailbox_id as mailboxId', 'kind'])
    .select('interest')
    .select(['campaign_id as campaignId', 'lead_id as leadId', 'body_text as text'])
    .select('interest_by as by')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('direction', '=', 'inbound')
    .forUpdate()
    .executeTakeFirst();
}

export const setJudgement = (
  trx: Transaction<Database>,
  id: number,
  { interest, by, confidence }: Judgement,
) =>
  trx
    .updateTable('messages')
    .set({ interest, interest_by: by, interest_confidence: confidence })
    .where('id', '=', id)
    .execute();

/** Of the same message the last one; what it was judged to be at first stays. */
export const insertCorrection = (
  trx: Transaction<Database>,
  { id, userId, interest, by }: JudgedMessage,
  correction: { wordsKey: string; interest: Interest | null; at: Date },
) =>
  trx
    .insertInto('interest_corrections')
    .values({
      message_id: id,
      user_id: userId,
      words_key: correction.wordsKey,
      judged: interest,
      judged_by: by,
      interest: correction.interest,
      corrected_at: correction.at,
    })
    .onConflict((oc) =>
      oc
        .column('message_id')
        .doUpdateSet({ interest: correction.interest, corrected_at: correction.at }),
    )
    .execute();
