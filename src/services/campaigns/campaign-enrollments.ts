/** Adding leads to a campaign. Choice 9. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { inAccountPlace } from '../../db/accounts/account-places.ts';
import { inEntry, noteChange } from '../../db/accounts/audit-log.ts';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import {
  ENROLLED_AT_ONCE,
  enrollLeads,
  NOBODY,
  sumOf,
  type Enrolled,
} from '../../db/campaigns/enrollments.ts';
import { listWantedLeads } from '../../db/campaigns/wanted-leads.ts';
import { replanFollowups } from '../../db/campaigns/follow-up-plans.ts';
import { lockUserLeadList } from '../../db/leads/lead-lists.ts';
import { hasRecipientsAmong, listRemovedThreads } from '../../db/campaigns/recipient-requests.ts';
import { awaitAnswers } from '../../db/sending/review-holds.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { wakeCampaign } from './campaign-wakes.ts';
import { readConditions, type CustomQuery } from '../leads/custom-values.ts';
import { lockOwnCampaign } from './campaigns.ts';

export { MAX_DUPLICATES, SKIP_REASONS } from '../../db/campaigns/enrollments.ts';
export type { Enrolled, SkipReason } from '../../db/campaigns/enrollments.ts';

export interface LeadChoice {
  leadIds?: number[] | undefined;
  leadListId?: number | undefined;
  /** Narrows the list, or all leads of the account. */
  custom?: CustomQuery | undefined;
  skipIfInOtherCampaign?: boolean | undefined;
  /** Default: the campaign's setting. */
  onlyNeverContacted?: boolean | undefined;
}

type Enrolling = Pick<Context, 'db' | 'config' | 'clock' | 'temporal'>;

/**
 * Any number of leads; leads already in the campaign are skipped, so a repeat is harmless. Thousands are
 * added per transaction: sending goes on in between, and what was added before a failure stays. Leads
 * added to a completed campaign are written to after the next start. A removed lead comes back only
 * where it is named by its id, and goes on where it stood; what came meanwhile counts. Choice 65.
 */
export async function addCampaignLeads(
  context: Enrolling,
  subject: { userId: string; id: number },
  choice: LeadChoice,
): Promise<Enrolled> {
  const { leadIds, leadListId, skipIfInOtherCampaign, onlyNeverContacted } = choice;
  const custom = await readConditions(context.db, subject.userId, choice.custom);
  const { userId } = subject;
  const look = async (trx: Transaction<Database>) => {
    await lockOpenCampaign(trx, subject);
    if (leadListId !== undefined && !(await lockUserLeadList(trx, userId, leadListId))) {
      throw notFound('lead list', { field: 'leadListId', ids: [leadListId] });
    }
    const leadListIds = leadListId === undefined ? [] : [leadListId];
    return listWantedLeads(trx, { userId, leadIds, leadListIds, custom });
  };
  // It changes nothing, and so has no entry in the audit log, but waits for the campaign as the changes do.
  const wanted = await inAccountPlace(context.db, userId, () =>
    context.db.transaction().execute(look),
  );
  const named = new Set(leadIds);
  const add = (trx: Transaction<Database>, batch: number[]) =>
    addBatch({ context, trx }, subject, {
      leadIds: batch,
      namedIds: batch.filter((id) => named.has(id)),
      skipIfInOtherCampaign,
      onlyNeverContacted,
    });
  let sum = NOBODY;
  let from = 0;
  if (wanted.length > ENROLLED_AT_ONCE) {
    // The entry comes with the first batch, when nobody knows how many will be added.
    noteChange({ after: { leadListId, leadIds, leads: wanted.length } });
  }
  for (; from + ENROLLED_AT_ONCE < wanted.length; from += ENROLLED_AT_ONCE) {
    const batch = wanted.slice(from, from + ENROLLED_AT_ONCE);
    const commit = () => inEntry(context.db, (trx) => add(trx, batch));
    sum = sumOf(sum, await despiteDeadlocks(commit));
  }
  // The last transaction commits the sum of all: a repeated request gets the answer of the first.
  const last = async (trx: Transaction<Database>) => {
    const enrolled = sumOf(sum, await add(trx, wanted.slice(from)));
    noteChange({ after: { leadListId, leadIds, added: enrolled.added } });
    return enrolled;
  };
  return despiteDeadlocks(() => commitOnce(context.db, last));
}

async function addBatch(
  { context, trx }: { context: Enrolling; trx: Transaction<Database> },
  subject: { userId: string; id: number },
  batch: Omit<LeadChoice, 'leadListId' | 'custom'> & { namedIds: readonly number[] },
): Promise<Enrolled> {
  const { userId, id: campaignId } = subject;
  // Of whom is put back, before the campaign is locked: an answer that is being stored holds them.
  if (await hasRecipientsAmong(trx, campaignId, batch.namedIds)) await awaitAnswers(trx, userId);
  const campaign = await lockOpenCampaign(trx, subject);
  const now = context.clock.now();
  const leads = await listRemovedThreads(trx, campaignId, batch.namedIds);
  const enrolled = await enrollLeads(trx, {
    ...batch,
    onlyNeverContacted: batch.onlyNeverContacted ?? campaign.only_never_contacted,
    campaignId,
    userId,
    now,
  });
  const { DAY_SECONDS: daySeconds } = context.config;
  if (leads.length > 0) await replanFollowups(trx, { campaignId, now, daySeconds, leads });
  if (enrolled.added > 0 && campaign.status === 'active') {
    await wakeCampaign(context, trx, { campaignId, because: 'leadsAdded' });
  }
  return enrolled;
}

async function lockOpenCampaign(
  trx: Transaction<Database>,
  { userId, id }: { userId: string; id: number },
): Promise<Campaign> {
  const campaign = await lockOwnCampaign(trx, userId, id);
  if (campaign.status !== 'cancelled') return campaign;
  throw invalid('INVALID_STATE', 'A campaign that is cancelled takes no more leads');
}
