/** Clients who say what an answer means, in processes that die; what is stored has to say the same. Choice 114. */
import { sql, type Kysely } from 'kysely';
import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/tables.ts';
import { OutreachError } from '../../../src/domain/errors.ts';
import type { Interest } from '../../../src/domain/inbox/interest/interest.ts';
import { changeUserMessage } from '../../../src/services/inbox/inbox.ts';
import type { Book } from '../book.ts';
import type { GivenAnswer } from './answers.ts';
import type { Processes } from './mortal-process.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'temporal'>;

/** Half of them are about whether a subsequence begins. */
const SAID: readonly (Interest | null)[] = ['not_now', 'not_now', 'meeting', 'question', null];

export interface Corrections {
  /** What an answer with these words means as it comes in. */
  meaningOf(words: string, judged: Interest): Interest | null;
  correct(answer: GivenAnswer, of: { userId: string; words: string }): Promise<void>;
}

/** One after the other, and no answer meanwhile. */
export function createCorrections(
  context: Needs,
  { random, processes }: { random: () => number; processes: Processes },
): Corrections {
  const remembered = new Map<string, Interest | null>();
  return {
    meaningOf: (words, judged) => (remembered.has(words) ? remembered.get(words)! : judged),
    async correct(answer, { userId, words }) {
      const interest = SAID[Math.floor(random() * SAID.length)]!;
      // Whoever enters at this very moment may do so by either.
      answer.interest.set(interest, context.clock.now().getTime());
      remembered.set(words, interest);
      await processes.untilDone(async (db) => {
        const row = await db
          .selectFrom('messages')
          .select('id')
          .where('mailbox_id', '=', answer.mailboxId)
          .where('message_id', '=', answer.messageId)
          .executeTakeFirst();
        // Its writer may just be erased.
        if (!row) return;
        await changeUserMessage({ ...context, db }, { userId, id: row.id }, { interest }).catch(
          (error: unknown) => {
            if (!(error instanceof OutreachError && error.code === 'MESSAGE_NOT_FOUND'))
              throw error;
          },
        );
      });
    },
  };
}

/** What is stored of each answer is what the client has said, of it or of the same words before, else the rules. */
export async function checkMeanings(db: Kysely<Database>, book: Book): Promise<string[]> {
  const answers = [...book.people].flatMap((leadId) => book.answers.of(leadId));
  const { rows } = await sql<{ message_id: string; interest: Interest | null }>`
    select message_id, interest from messages where direction = 'inbound'
      and message_id = any (${answers.map(({ messageId }) => messageId)}::text[])`.execute(db);
  const stored = new Map(rows.map((row) => [row.message_id, row.interest]));
  return answers.flatMap(({ messageId, interest }) => {
    const is = stored.get(messageId);
    return is === interest.now() || is === undefined
      ? []
      : [`answer ${messageId} is ${is}, and means ${interest.now()}`];
  });
}
