/** The outcome of each lead of a campaign, page by page, for a file. */
import { sql, type Kysely } from 'kysely';
import { listCampaignLeads, type CampaignLead } from './campaign-leads.ts';
import type { Database } from '../tables.ts';

/** A summary of all messages of a campaign to a lead. */
export interface SentToLead {
  lead_id: number;
  /** When each was sent, by step. */
  sent_at: Date[];
  /** How many were opened or clicked: by people, and by programs. */
  opened: number;
  machine_opened: number;
  clicked: number;
  machine_clicked: number;
  replied: number;
  replied_at: Date | null;
  bounced_at: Date | null;
  /** What the server or the report said, of a bounce or a refusal. */
  refusal: string | null;
  complained_at: Date | null;
  unsubscribed_at: Date | null;
}

export interface LeadResult {
  lead: CampaignLead;
  /** Undefined: no message was ever begun. */
  sent: SentToLead | undefined;
}

const PAGE = 500;

/** In the order of their leads. No connection is held between two pages. */
export async function* exportedResults(
  db: Kysely<Database>,
  campaignId: number,
): AsyncGenerator<LeadResult[]> {
  let after = 0;
  for (;;) {
    const leads = await listCampaignLeads(db, campaignId, { limit: PAGE, after });
    const sent = await readSent(
      db,
      campaignId,
      leads.map(({ lead_id }) => lead_id),
    );
    if (leads.length > 0) yield leads.map((lead) => ({ lead, sent: sent.get(lead.lead_id) }));
    if (leads.length < PAGE) return;
    after = leads.at(-1)!.lead_id;
  }
}

async function readSent(
  db: Kysely<Database>,
  campaignId: number,
  leadIds: readonly number[],
): Promise<Map<number, SentToLead>> {
  if (leadIds.length === 0) return new Map();
  const { rows } = await sql<SentToLead>`
    select lead_id, coalesce(array_agg(sent_at order by step) filter (where sent_at is not null),
        '{}') as sent_at,
      count(opened_at)::int as opened, count(machine_opened_at)::int as machine_opened,
      count(clicked_at)::int as clicked, count(machine_clicked_at)::int as machine_clicked,
      count(replied_at)::int as replied, min(replied_at) as replied_at,
      min(bounced_at) as bounced_at, min(complained_at) as complained_at,
      min(unsubscribed_at) as unsubscribed_at,
      (array_agg(refusal order by step desc) filter (where refusal <> ''))[1] as refusal
    from sends, lateral (select coalesce(rejection,
      case when state = 'refused' then smtp_reply
        when coalesce(bounced_at, soft_bounced_at) is not null then (
          select coalesce(facts->>'words', facts->>'status') from messages
          where messages.send_id = sends.id and kind = 'bounce' order by id desc limit 1)
      end) as refusal) as said
    where campaign_id = ${campaignId} and lead_id = any (${[...leadIds]}::bigint[])
    group by lead_id`.execute(db);
  return new Map(rows.map((row) => [row.lead_id, row]));
}
