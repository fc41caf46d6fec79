/** Invariants of the database: every day while campaigns run, and at their ends. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../src/db/tables.ts';
import { ADDRESS_HOLDS, checkRejections, checkSuppressedAddresses } from './refusal-verdict.ts';
import { addressesOf, owed } from './addresses/owed.ts';
import type { Book, SimulatedCampaign } from './book.ts';
import { checkMeanings } from './subsequences/corrections.ts';
import { checkStarts } from './subsequences/entry-rules.ts';

/** Final states, with their possible reasons. */
const EXPLAINED: Record<string, readonly (string | null)[]> = {
  completed: [null],
  replied: [null],
  bounced: [null, 'suppressed'],
  unsubscribed: [null, 'complained', 'suppressed'],
  skipped: [
    'suppressed',
    'no_email',
    'invalid_email',
    'already_contacted',
    'contacted_before',
    'duplicate_address',
    'company_replied',
  ],
  failed: ['delivery_uncertain', 'delivery_refused', 'policy_rejection', 'no_mailbox'],
  // What they would wait for if they were put back.
  removed: [null, 'auto_reply', 'undelivered'],
};

/** Checks the rows repeatedly, and remembers earlier states. */
export function createVerdict(db: Kysely<Database>, book: Book, now: () => number) {
  const suppressed = new Set<string>();
  let lookedAt = 0;
  /** At any moment between two messages. */
  const look = async (): Promise<string[]> => {
    const [from, to] = [lookedAt, now()];
    lookedAt = to;
    return [
      ...(await checkRows(db, book)),
      ...(await checkSuppressed(db, book, { suppressed, from, to })),
      ...(await checkSuppressedAddresses(db, book)),
      ...(await checkRejections(db, book)),
    ];
  };
  /** When all campaigns have ended. */
  const end = async () => {
    const violations = await look();
    const verdict = await verdictOf(db, book);
    return {
      ...verdict,
      violations: [
        ...violations,
        ...verdict.violations,
        ...(await checkMeanings(db, book)),
        ...(await checkStarts(db, book)),
      ],
    };
  };
  return { look, end };
}

/**
 * A recipient that is held as suppressed was suppressed when that was noticed, whatever their address
 * is now.
 */
async function checkSuppressed(
  db: Kysely<Database>,
  book: Book,
  { suppressed, from, to }: { suppressed: Set<string>; from: number; to: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('recipients')
    .select(['campaign_id', 'lead_id'])
    .where(
      'campaign_id',
      'in',
      book.campaigns.map(({ id }) => id),
    )
    .where('hold_reason', '=', 'suppressed')
    .execute();
  return rows.flatMap(({ campaign_id: campaignId, lead_id: leadId }) => {
    const what = `campaign ${campaignId} lead ${leadId}`;
    if (suppressed.has(what)) return [];
    suppressed.add(what);
    const isSuppressed = book.hadClosedAddress(leadId, from, to) || book.keepsWish(leadId);
    return isSuppressed ? [] : [`${what} is suppressed by nobody`];
  });
}

async function checkRows(db: Kysely<Database>, book: Book): Promise<string[]> {
  const ids = book.campaigns.map(({ id }) => id);
  const { rows } = await sql<{ rule: string; campaign_id: number; lead_id: number }>`
    select case
        when status not in ('queued', 'in_progress') and due_at is not null then 'is over, yet due'
        when status in ('queued', 'in_progress') and due_at is null then 'is open, yet never due'
        when status = 'queued' and step > 0 then 'is queued behind the first message'
        else 'is in progress before the first message'
      end as rule, campaign_id, lead_id
    from recipients where campaign_id = any (${ids}::bigint[])
      and ((status in ('queued', 'in_progress')) <> (due_at is not null)
          and not (status in ('queued', 'in_progress')
            and coalesce(hold_reason = any (${ADDRESS_HOLDS}::text[]), false))
        or (status = 'queued' and step > 0) or (status = 'in_progress' and step = 0))
    union all
    select 'has two mailboxes in one thread', campaign_id, lead_id
    from sends where campaign_id = any (${ids}::bigint[]) and state = 'sent'
    group by campaign_id, lead_id having count(distinct mailbox_id) > 1`.execute(db);
  return rows.map(
    ({ rule, campaign_id, lead_id }) => `campaign ${campaign_id} lead ${lead_id} ${rule}`,
  );
}

interface End {
  campaign_id: number;
  lead_id: number;
  status: string;
  hold_reason: string | null;
  messages: number;
}

async function verdictOf(
  db: Kysely<Database>,
  book: Book,
): Promise<{ violations: string[]; ends: Record<string, number> }> {
  const ids = book.campaigns.map(({ id }) => id);
  const { rows } = await sql<End>`
    select campaign_id, lead_id, status, hold_reason, (select count(*)::integer from sends
      where sends.campaign_id = recipients.campaign_id and sends.lead_id = recipients.lead_id
        and sends.state = 'sent') as messages
    from recipients where campaign_id = any (${ids}::bigint[])`.execute(db);
  const violations: string[] = [];
  const ends: Record<string, number> = {};
  const isWritten = await addressesOf(db, ids);
  for (const row of rows) {
    const name = row.status + (row.hold_reason === null ? '' : ` (${row.hold_reason})`);
    ends[name] = (ends[name] ?? 0) + 1;
    const wrong = unexplained(row, book) ?? owed(book, row, isWritten);
    if (wrong) violations.push(`campaign ${row.campaign_id} lead ${row.lead_id} ${wrong}`);
  }
  for (const campaign of book.campaigns) {
    violations.push(...peopleOf(campaign, rows), ...(await countersOf(db, campaign.id)));
  }
  return { violations, ends };
}

function unexplained(row: End, book: Book): string | undefined {
  const { campaign_id: campaignId, lead_id: leadId, status, hold_reason: reason } = row;
  const isOpen = status === 'queued' || status === 'in_progress';
  if (isOpen && book.campaign(campaignId).isCancelled) return undefined;
  if (isOpen && book.closedBy(campaignId, leadId).has('answered')) {
    return 'goes on, though they have answered since it began';
  }
  const isLate = () => book.isDecidedLate(campaignId, leadId);
  if (isOpen && (reason === null || ADDRESS_HOLDS.includes(reason)) && isLate()) return undefined;
  if (isOpen && reason !== null && ADDRESS_HOLDS.includes(reason)) {
    return book.isHeldNow(campaignId, leadId) ? undefined : `is held (${reason}) by nothing`;
  }
  if (reason === 'invalid_email' && !isLate()) {
    const { status: verdict } = book.verdicts.get(leadId)!.now();
    if (verdict !== 'invalid') return `is skipped as invalid, which it is not (${verdict})`;
  }
  if (isOpen && book.provenLate.has(`${campaignId}/${leadId}`)) return undefined;
  if (isOpen && book.closedBy(campaignId, leadId).has('company_replied')) {
    return 'goes on, though somebody of its company has answered';
  }
  if (status === 'paused') {
    // The pause hides the earlier reason of the hold. Of who comes back the last message may have expired before.
    const mayWait = book.expiries.of(campaignId, leadId).length > 0;
    return mayWait || book.pausedLead(campaignId, leadId).now() ? undefined : 'is paused by nobody';
  }
  if (status === 'removed' && !book.closedBy(campaignId, leadId).has('removed')) {
    return 'was removed by nobody';
  }
  if (!EXPLAINED[status]?.includes(reason)) return `ended as ${status} (${reason})`;
  if (status === 'completed' && !couldEnd(book.campaign(campaignId), row.messages)) {
    return `completed by ${row.messages} messages`;
  }
  const by = book.closedBy(campaignId, leadId);
  if (reason === 'company_replied' && !by.has('company_replied')) {
    return 'was ended, though nobody of its company has answered';
  }
  if (reason === 'policy_rejection' && !by.has('rejected')) return 'was refused by nobody';
  if (by.has('rejected') && status === 'completed') return 'was refused as spam, and is completed';
  if (status === 'replied' && !by.has('replied') && !by.has('answered'))
    return 'has never answered';
  if (by.has('replied') && (status === 'completed' || status === 'failed')) {
    return `has answered, and is ${status}`;
  }
  return undefined;
}

/** Whether at some time no more messages were due after this many, and at some time this many were. */
function couldEnd({ followups }: SimulatedCampaign, messages: number): boolean {
  const lengths = followups.during(-Infinity, Infinity).map(({ value }) => value + 1);
  return messages >= Math.min(...lengths) && messages <= Math.max(...lengths);
}

/** No recipient is missing, and none is unexpected. */
function peopleOf({ id, leads }: SimulatedCampaign, rows: readonly End[]): string[] {
  const there = new Set(
    rows.filter(({ campaign_id }) => campaign_id === id).map(({ lead_id }) => lead_id),
  );
  return [
    ...[...leads].filter((lead) => !there.has(lead)).map((lead) => `lead ${lead} is lost`),
    ...[...there].filter((lead) => !leads.has(lead)).map((lead) => `lead ${lead} is too many`),
  ].map((words) => `campaign ${id}: ${words}`);
}

/** The counters equal the rows of the messages. */
async function countersOf(db: Kysely<Database>, campaignId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string; rows: number; counted: number }>`
    with messages as (
      select count(*) filter (where state = 'sent') as sent,
        count(*) filter (where state = 'uncertain') as uncertain,
        count(*) filter (where state = 'refused') as failed,
        count(replied_at) as replied, count(auto_replied_at) as auto_replied,
        count(bounced_at) + count(expired_at) as bounced, count(complained_at) as complained,
        count(unsubscribed_at) as unsubscribed
      from sends where campaign_id = ${campaignId}
    ), counters as (
      select coalesce(sum(sent), 0) as sent, coalesce(sum(uncertain), 0) as uncertain,
        coalesce(sum(failed), 0) as failed, coalesce(sum(replied), 0) as replied,
        coalesce(sum(auto_replied), 0) as auto_replied, coalesce(sum(bounced), 0) as bounced,
        coalesce(sum(complained), 0) as complained,
        coalesce(sum(unsubscribed), 0) as unsubscribed
      from campaign_counters where campaign_id = ${campaignId}
    )
    select one.key as name, one.value::integer as rows, other.value::integer as counted
    from messages, jsonb_each_text(to_jsonb(messages)) as one
    join (select key, value from counters, jsonb_each_text(to_jsonb(counters))) as other
      using (key)
    where one.value <> other.value`.execute(db);
  return rows.map(
    ({ name, rows: there, counted }) =>
      `campaign ${campaignId}: ${there} messages ${name}, ${counted} counted`,
  );
}
