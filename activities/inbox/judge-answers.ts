/** What people's answers mean, judged as they are stored. Choice 114. */
import type { Transaction } from 'kysely';
import { insertQuestions } from '../../src/db/inbox/interest-questions.ts';
import type { NewMessage } from '../../src/db/inbox/messages.ts';
import type { Database } from '../../src/db/tables.ts';
import { judgeInterest, type Judgement } from '../../src/domain/inbox/interest/index.ts';
import { judgeInterests } from '../../src/transactions/inbox/judge-interests.ts';

interface JudgedAhead {
  messages: readonly NewMessage[];
  /** What the rules say, by texts, as far as they were asked already. */
  judged: ReadonlyMap<string, Judgement>;
}

/** In the order given. */
export async function judgeAnswers(
  trx: Transaction<Database>,
  userId: string,
  { messages, judged: known }: JudgedAhead,
): Promise<NewMessage[]> {
  const answers = messages.filter(({ kind }) => kind === 'reply');
  const judgements = await judgeInterests(
    trx,
    userId,
    answers.map(({ bodyText }) => bodyText),
    (text) => known.get(text) ?? judgeInterest(text),
  );
  const judged = new Map(answers.map((answer, at) => [answer, judgements[at]!]));
  return messages.map((message) => {
    const judgement = judged.get(message);
    return judgement ? { ...message, judgement } : message;
  });
}

/** Where the rules are not sure, a model is asked after this transaction. `ids`: of what was added, by Message-ID. */
export async function askLater(
  trx: Transaction<Database>,
  userId: string,
  { rows, ids }: { rows: readonly NewMessage[]; ids: ReadonlyMap<string, number> },
): Promise<void> {
  const unsure = rows.flatMap(({ kind, judgement, messageId }) => {
    const id = ids.get(messageId);
    return kind === 'reply' && judgement?.by === null && id !== undefined ? [id] : [];
  });
  await insertQuestions(trx, { userId, ids: unsure });
}
