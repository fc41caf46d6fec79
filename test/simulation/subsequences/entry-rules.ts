/** Who may enter a campaign by an answer, who has to, and what the first message says: choices 116 and 117. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import type { SkipReason } from '../../../src/services/campaigns/campaign-enrollments.ts';
import type { Book, SimulatedCampaign } from '../book.ts';
import { isLeftOutRightly } from '../enrollment-clients.ts';
import type { History } from '../history.ts';
import type { Observed } from '../rules.ts';
import { isWanted, type GivenAnswer, type StartRule } from './answers.ts';

const DAY = 86_400_000;

/** What is wrong with a lead that has entered by the answer `by`. */
export function wrongEntry(
  book: Pick<Book, 'answers' | 'addressesAt' | 'closedSince'>,
  { id, startsOn }: Pick<SimulatedCampaign, 'id' | 'startsOn'>,
  { leadId, at, by }: { leadId: number; at: number; by: string | null },
): string[] {
  const last = book.answers.lastAt(leadId, at);
  const rules = startsOn?.at(at) ?? [];
  const wanted = last.filter(({ campaignId, interest: meaning }) =>
    meaning
      .at(at)
      .some((interest) => rules.some((rule) => isWanted(rule, id, { campaignId, interest }))),
  );
  const wrong: string[] = [];
  if (wanted.length === 0) {
    const words = last
      .map(({ interest, campaignId }) => `${interest.at(at).join(' or ')} to ${campaignId}`)
      .join(', ');
    return [`though their last answer is ${words === '' ? 'none' : words}`];
  }
  const waited = Math.max(...wanted.map((answer) => at - answer.at));
  const least = Math.min(...rules.flatMap((rule) => (rule ? [rule.afterMs] : [])));
  if (waited < least) wrong.push(`${waited / DAY} days after their answer`);
  if (!wanted.some(({ messageId }) => messageId === by)) {
    wrong.push(`by ${by}, which is not their last answer`);
  }
  const isClosed = (to: string) => {
    const since = book.closedSince({ at, campaignId: id, leadId, to });
    return since !== undefined && since < at;
  };
  if (book.addressesAt(leadId, at).every(isClosed)) wrong.push('though they are closed');
  return wrong;
}

/** What is wrong with the first message to somebody who has entered by one of these answers. */
export function wrongOpening(
  { mailboxId, attempts, headers }: Observed,
  answers: readonly GivenAnswer[],
  mayWrite: (answer: GivenAnswer) => boolean,
): string[] {
  if (answers.length === 0) return ['no answer of theirs begins the subsequence'];
  const own = answers.find((answer) => answer.mailboxId === mailboxId);
  if (!own) {
    // A message that its server has deferred stays on its mailbox.
    const isElsewhere = attempts === 0 && answers.every(mayWrite);
    return [
      ...(headers.inReplyTo === '' ? [] : [`In-Reply-To ${headers.inReplyTo} of another mailbox`]),
      ...(isElsewhere ? [`mailbox ${mailboxId} has not got the answer`] : []),
    ];
  }
  return [
    ...(headers.inReplyTo === own.messageId ? [] : [`In-Reply-To ${headers.inReplyTo}`]),
    ...(headers.references === `${own.inReplyTo} ${own.messageId}`
      ? []
      : [`References ${headers.references}`]),
    ...(headers.subject === own.subject ? [] : [`subject ${headers.subject}`]),
  ];
}

interface Start {
  campaign_id: number;
  lead_id: number;
  status: string;
  reason: string | null;
  updated_at: Date;
}

/** Whoever should have entered until nobody enters any more has done so, or may not be written to. */
export async function checkStarts(db: Kysely<Database>, book: Book): Promise<string[]> {
  const campaigns = book.campaigns.filter(({ startsOn }) => startsOn);
  const ids = campaigns.map(({ id }) => id);
  const { rows } = await sql<Start>`
    select campaign_id, lead_id, status, reason, updated_at from subsequence_starts
    where campaign_id = any (${ids}::bigint[])`.execute(db);
  const messages = await db
    .selectFrom('sends')
    .select(['campaign_id', 'lead_id', 'former_lead_id', 'email_key'])
    .where('campaign_id', 'in', ids)
    .execute();
  return campaigns.flatMap((campaign) =>
    [...book.people].flatMap((leadId) => {
      const row = rows.find((one) => one.campaign_id === campaign.id && one.lead_id === leadId);
      const isOfAnother = (one: (typeof messages)[number]) =>
        one.campaign_id === campaign.id && one.lead_id !== leadId && one.former_lead_id !== leadId;
      const written = messages.filter(isOfAnother).map((one) => one.email_key);
      const wrong = missingEntry(book, campaign, { leadId, row, written });
      return wrong ? [`campaign ${campaign.id} lead ${leadId} ${wrong}`] : [];
    }),
  );
}

/** Whether it has meant for a day, by the rule of that day, that they enter. */
function wasDue(
  { at, campaignId, interest }: GivenAnswer,
  own: number,
  rules: History<StartRule | null>,
): boolean {
  const meanings = interest.during(-Infinity, Infinity);
  return rules.during(-Infinity, Infinity).some(({ value: rule, until }) =>
    meanings.some((meaning, index) => {
      if (!isWanted(rule, own, { campaignId, interest: meaning.value })) return false;
      const since = Math.max(at + rule!.afterMs, meanings[index - 1]?.until ?? -Infinity);
      return since + DAY <= Math.min(until, meaning.until);
    }),
  );
}

/** What is wrong with a lead that has not entered. */
export function missingEntry(
  book: Book,
  { id, startsOn, isCancelled }: SimulatedCampaign,
  {
    leadId,
    row,
    written,
  }: {
    leadId: number;
    row: Start | undefined;
    /** Addresses that the campaign has written to, as those of other leads. */
    written: readonly (string | null)[];
  },
): string | undefined {
  if (isCancelled || book.answers.entryOf(id, leadId)) return undefined;
  const answer = book.answers.of(leadId).at(-1);
  if (!answer || !wasDue(answer, id, startsOn!)) return undefined;
  if (!row) return 'has never been planned';
  if (row.status !== 'cancelled') return `is ${row.status}, and has not entered`;
  const at = row.updated_at.getTime();
  const reasons = [row.reason as SkipReason];
  const isWritten = book.addressesAt(leadId, at).some((one) => written.includes(one));
  const asLeft = { leadId, reasons, from: at, to: at, isWritten };
  return isLeftOutRightly(book, asLeft) ? undefined : `has not entered: ${row.reason}`;
}
