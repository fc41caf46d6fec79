/** Answers whose meaning a language model is to say. Choice 119. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { MessageKind } from '../../domain/inbox/inbox.ts';
import type { InterestJudge } from '../../domain/inbox/interest/interest.ts';
import type { Database } from '../tables.ts';

/** Asks a model about these messages, soon, where the account wants that; a repeat changes nothing. */
export async function insertQuestions(
  trx: Transaction<Database>,
  { userId, ids }: { userId: string; ids: readonly number[] },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into interest_questions (message_id, user_id)
    select id, ${userId} from unnest(${[...ids]}::bigint[]) as id
    where (select use_language_model from users where user_id = ${userId})
    on conflict (message_id) do nothing`.execute(trx);
}

export interface InterestQuestion {
  messageId: number;
  userId: string;
  tries: number;
}

/** Those that are due, longest first. They are due again at `until`, in case this process dies. */
export async function claimQuestions(
  db: Kysely<Database>,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<InterestQuestion[]> {
  const { rows } = await sql<InterestQuestion>`
    update interest_questions set due_at = ${until}
    where message_id in (
      select message_id from interest_questions where left_at is null and due_at <= ${now}
      order by due_at, message_id limit ${limit} for update skip locked)
    returning message_id as "messageId", user_id as "userId", tries`.execute(db);
  return rows;
}

/** What a model is asked about; undefined where the message is gone. */
export async function readQuestion(
  db: Kysely<Database>,
  messageId: number,
): Promise<
  | {
      kind: MessageKind;
      by: InterestJudge | null;
      text: string;
      fromName: string | null;
      /** The account lets a model read it. */
      isAllowed: boolean;
    }
  | undefined
> {
  return db
    .selectFrom('messages')
    .innerJoin('users', 'users.user_id', 'messages.user_id')
    .select(['kind', 'interest_by as by', 'body_text as text', 'from_name as fromName'])
    .select('use_language_model as isAllowed')
    .where('messages.id', '=', messageId)
    .executeTakeFirst();
}

/** The account lets no model read its answers any more. */
export const endQuestionsOf = (trx: Transaction<Database>, userId: string) =>
  trx.deleteFrom('interest_questions').where('user_id', '=', userId).execute();

export const endQuestion = (db: Kysely<Database>, messageId: number) =>
  db.deleteFrom('interest_questions').where('message_id', '=', messageId).execute();

/** Asked again at `dueAt`. `isTry`: the model was asked, and it was about this answer that it failed. */
export const putOffQuestion = (
  db: Kysely<Database>,
  messageId: number,
  { dueAt, problem, isTry }: { dueAt: Date; problem: string | null; isTry: boolean },
) =>
  db
    .updateTable('interest_questions')
    .set((eb) => ({
      due_at: dueAt,
      tries: isTry ? eb('tries', '+', 1) : eb.ref('tries'),
      ...(problem !== null && { problem }),
    }))
    .where('message_id', '=', messageId)
    .where('left_at', 'is', null)
    .execute();

/** All of an account's, those included that are claimed until later. */
export const putOffQuestionsOf = (
  db: Kysely<Database>,
  userId: string,
  { dueAt, problem }: { dueAt: Date; problem: string },
) =>
  db
    .updateTable('interest_questions')
    .set({ due_at: dueAt, problem })
    .where('user_id', '=', userId)
    .where('left_at', 'is', null)
    .execute();

/** The answer stays as the rules have judged it; the row says why for a while. */
export const leaveQuestion = (
  db: Kysely<Database>,
  messageId: number,
  { problem, now }: { problem: string; now: Date },
) =>
  db
    .updateTable('interest_questions')
    .set({ problem, left_at: now })
    .where('message_id', '=', messageId)
    .execute();

/** Leaves those that were asked before `askedBefore`, and forgets those that were left before `leftBefore`. */
export async function leaveOldQuestions(
  db: Kysely<Database>,
  { askedBefore, leftBefore, now }: { askedBefore: Date; leftBefore: Date; now: Date },
): Promise<number> {
  await db.deleteFrom('interest_questions').where('left_at', '<', leftBefore).execute();
  const { numUpdatedRows } = await db
    .updateTable('interest_questions')
    .set((eb) => ({ left_at: now, problem: eb.fn.coalesce('problem', eb.val('not_asked')) }))
    .where('left_at', 'is', null)
    .where('asked_at', '<', askedBefore)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Counts a call of the account before it is made; false where it has had its calls of this day. */
export async function takeModelCall(
  db: Kysely<Database>,
  { userId, day, limit }: { userId: string; day: string; limit: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into interest_model_calls as taken (user_id, day, calls) values (${userId}, ${day}, 1)
    on conflict (user_id) do update set day = excluded.day,
      calls = case when taken.day = excluded.day then taken.calls + 1 else 1 end
      where taken.day <> excluded.day or taken.calls < ${limit}
    returning calls`.execute(db);
  return rows.length > 0;
}
