/** The reconciler's part in subsequences, in processes that die; who has entered is judged at once. */
import type { Context } from '../../../src/context.ts';
import { beginDueStarts } from '../../../activities/campaigns/due-starts.ts';
import type { Book, SimulatedCampaign } from '../book.ts';
import { wrongEntry } from './entry-rules.ts';
import type { Processes } from './mortal-process.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'temporal' | 'logger'>;

/** Now and then two workers believe to be the only one. */
const TWICE = 0.2;

export function createStarter(
  context: Needs,
  tools: {
    book: Book;
    random: () => number;
    processes: Processes;
    breach: (rule: string) => void;
  },
): () => Promise<void> {
  const { book, random, processes, breach } = tools;
  const begin = () =>
    processes.untilDone(async (db, isDead) => {
      // The dead tell nobody.
      const withDeadline = <T>(deadline: number, work: () => Promise<T>) =>
        context.temporal.withDeadline(deadline, work);
      const getHandle: Context['temporal']['workflow']['getHandle'] = (...input) =>
        isDead() ? neverHeard : context.temporal.workflow.getHandle(...input);
      const temporal = { withDeadline, workflow: { getHandle } } as unknown as Context['temporal'];
      await beginDueStarts({ ...context, db, temporal });
    });
  return async () => {
    await Promise.all(random() < TWICE ? [begin(), begin()] : [begin()]);
    for (const campaign of book.campaigns) {
      if (campaign.startsOn) await noteEntries(campaign);
    }
  };

  async function noteEntries(campaign: SimulatedCampaign): Promise<void> {
    const { id, leads } = campaign;
    const rows = await context.db
      .selectFrom('recipients')
      .leftJoin('subsequence_starts as start', (join) =>
        join
          .onRef('start.campaign_id', '=', 'recipients.campaign_id')
          .onRef('start.lead_id', '=', 'recipients.lead_id'),
      )
      .leftJoin('messages', 'messages.id', 'start.message_id')
      .select(['recipients.lead_id as leadId', 'added_at as at', 'messages.message_id as by'])
      .where('recipients.campaign_id', '=', id)
      .execute();
    for (const { leadId, at, by } of rows) {
      if (book.answers.entryOf(id, leadId)) continue;
      const since = at.getTime();
      const wrong = wrongEntry(book, campaign, { leadId, at: since, by });
      for (const rule of wrong) breach(`campaign ${id} lead ${leadId} has entered, ${rule}`);
      const answer = book.answers.of(leadId).find(({ messageId }) => messageId === by);
      book.answers.enter(id, leadId, { at: since, answer });
      // Another client may just have deleted the lead.
      if (book.people.has(leadId)) leads.add(leadId);
      // An answer of this very moment ends it.
      if (book.answers.of(leadId).at(-1) !== answer) {
        book.closeRecipient(id, leadId, 'answered', since);
      }
    }
  }
}

const neverHeard = { signal: async () => undefined } as unknown as ReturnType<
  Context['temporal']['workflow']['getHandle']
>;
