/** What clients do with addresses: validate, choose, lift suppressions, delete and import again. */
import { sql } from 'kysely';
import type { SuppressionReason } from '../../src/domain/suppressions/suppressions.ts';
import type { CampaignChange } from '../../src/services/campaigns/campaign-changes.ts';
import { addCampaignLeads } from '../../src/services/campaigns/campaign-enrollments.ts';
import { startCampaign } from '../../src/services/campaigns/campaign-requests.ts';
import { deleteLead } from '../../src/services/leads/lead-deletions.ts';
import { removeSuppression } from '../../src/services/suppressions/suppressions.ts';
import { UNVERIFIED, VERDICTS, type AddressChoice } from './address-rules.ts';
import type { ClosedBy, SimulatedCampaign } from './book.ts';
import type { World } from './clients.ts';
import type { History } from './history.ts';
import { learnAddresses, writeVerdict } from './known-addresses.ts';
import type { RunSerially } from './serial-work.ts';

/** Functions that the other acts use as well. */
interface Ways {
  asked: (work: () => Promise<unknown>, ...codes: string[]) => Promise<boolean>;
  change: (campaign: SimulatedCampaign, changes: CampaignChange) => Promise<boolean>;
  noted: <T>(history: History<T>, value: T, work: () => Promise<boolean>) => Promise<void>;
  runSerially: RunSerially;
  forget: (leadId: number, by: 'deleted' | 'erased') => void;
  enrolledOf: (campaign: SimulatedCampaign, leadIds: number[]) => Promise<Set<number>>;
}

/** What a person said themself: lifted only by a client who states who asked for it. */
const OF_THE_PERSON: readonly ClosedBy[] = ['unsubscribed', 'complained'];

/**
 * The causes that end with the removal of such an entry; a client's own entry ends with any of them.
 */
const CLOSED: Record<SuppressionReason, readonly ClosedBy[]> = {
  manual: ['suppressed'],
  bounce: ['bounced', 'suppressed'],
  unsubscribe: ['unsubscribed', 'complained', 'bounced', 'suppressed'],
  complaint: ['unsubscribed', 'complained', 'bounced', 'suppressed'],
  erasure: [],
};

export function createAddressActs(
  { context, book, userId, random, breach }: World,
  { asked, change, noted, runSerially, forget, enrolledOf }: Ways,
) {
  const { db, clock } = context;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const now = () => clock.now().getTime();
  return {
    async verdict() {
      const leadId = pick([...book.people]);
      const verdict = random() < 0.2 ? UNVERIFIED : pick(VERDICTS);
      const history = book.verdicts.get(leadId)!;
      await runSerially(history, async () => {
        history.set(verdict, now());
        await writeVerdict(db, leadId, verdict);
      });
    },
    async choice(campaign: SimulatedCampaign) {
      const of = () => (random() < 0.25 ? ('hold' as const) : ('allow' as const));
      const choice: AddressChoice = {
        minValidationScore: random() < 0.05 ? 50 : null,
        riskyAddresses: { catchAll: of(), unknown: of(), role: of() },
      };
      await noted(campaign.choice, choice, () => change(campaign, choice));
    },
    async lift() {
      const rows = await db
        .selectFrom('suppressions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute();
      if (rows.length === 0) return;
      // Entries by a person or a server are rarer.
      const told = rows.filter((row) => row.reason !== 'manual');
      await liftEntry(pick(told.length > 0 && random() < 0.7 ? told : rows), random() < 0.5);
    },
    /** What a client alone has wanted. */
    async liftOwn(address: string) {
      const row = await db
        .selectFrom('suppressions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('value', '=', address)
        .where('reason', '=', 'manual')
        .executeTakeFirst();
      if (row) await liftEntry(row, false);
    },
    /** A person who was written to does not get the sequence from the beginning again. */
    async reimport(campaign: SimulatedCampaign) {
      if (campaign.startsOn) return;
      const known = [...campaign.leads].filter(
        (id) => book.people.has(id) && book.addresses.get(id)!.now() !== '',
      );
      if (known.length === 0) return;
      const leadId = pick(known);
      const address = book.addresses.get(leadId)!.now();
      if (!(await asked(() => deleteLead(context, userId, leadId), 'LEAD_NOT_FOUND'))) return;
      forget(leadId, 'deleted');
      const { rows } = await sql<{ id: number }>`
        insert into leads (user_id, first_name, last_name, name_key, email, email_key, provenance)
        values (${userId}, 'Again', 'Test', 'again test', ${address}, ${address}, '{}')
        returning id`.execute(db);
      const leadIds = rows.map(({ id }) => id);
      await learnAddresses({ context, book }, leadIds);
      const add = () => addCampaignLeads(context, { userId, id: campaign.id }, { leadIds });
      // Another client may just have cancelled it.
      if (!(await asked(add, 'INVALID_STATE'))) return;
      const added = await enrolledOf(campaign, leadIds);
      for (const id of added) {
        campaign.leads.add(id);
        campaign.joined.set(id, now());
      }
      // When the campaign has ended, only a start continues it.
      const go = () => startCampaign(context, { userId, id: campaign.id });
      if (await asked(go, 'INVALID_STATE', 'CAMPAIGN_NOT_READY')) return;
      for (const id of added) book.provenLate.add(`${campaign.id}/${id}`);
    },
  };

  async function liftEntry(
    { id, value, reason }: { id: number; value: string; reason: SuppressionReason },
    isAsked: boolean,
  ): Promise<void> {
    const note = isAsked ? 'they asked for it by mail' : undefined;
    const wasClosedBy = book.addressClosedBy(value);
    const lift = () => removeSuppression(context, userId, { id, note });
    const refusals = ['INVALID_STATE', 'VALIDATION_ERROR', 'SUPPRESSION_NOT_FOUND'];
    if (!(await asked(lift, ...refusals))) return;
    const isWish = wasClosedBy.some((by) => OF_THE_PERSON.includes(by));
    if (isWish && note === undefined) breach(`the wish of ${value} was lifted, nobody knows why`);
    book.openAddress(value, CLOSED[reason], now());
    const { rows: left } = await sql<{ id: number; status: string }>`
      select id, status from leads where user_id = ${userId} and email_key = ${value}
        and status = any (${STOPPED[reason]}::text[])
        and not is_suppressed(user_id, email_key)`.execute(db);
    for (const lead of left) breach(`lead ${lead.id} is ${lead.status}, though that was lifted`);
    const { rows: out } = await sql<{ campaign_id: number; lead_id: number }>`
      select campaign_id, lead_id from recipients join leads on leads.id = lead_id
        join campaigns on campaigns.id = campaign_id and campaigns.status <> 'cancelled'
      where leads.user_id = ${userId} and email_key = ${value} and hold_reason = 'suppressed'
        and leads.status not in ('suppressed', 'bounced', 'unsubscribed')
        and not is_suppressed(leads.user_id, email_key)`.execute(db);
    for (const { campaign_id: id, lead_id: lead } of out) {
      breach(`lead ${lead} is left out of campaign ${id}, though that was lifted`);
    }
  }
}

/** States that a lead must leave when an entry with that reason was lifted. */
const STOPPED: Record<SuppressionReason, readonly string[]> = {
  manual: ['suppressed'],
  bounce: ['suppressed', 'bounced'],
  unsubscribe: ['suppressed', 'unsubscribed', 'bounced'],
  complaint: ['suppressed', 'unsubscribed', 'bounced'],
  erasure: [],
};
