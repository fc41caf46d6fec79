/** Pausing, resuming and removing leads of a campaign, one or many. Choice 9. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { inEntry, noteChange } from '../../db/accounts/audit-log.ts';
import { touchCampaign, type Campaign } from '../../db/campaigns/campaigns.ts';
import { ENROLLED_AT_ONCE } from '../../db/campaigns/enrollments.ts';
import {
  requestOfRecipients,
  type RequestedRecipients,
} from '../../db/campaigns/recipient-requests.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import type { Database } from '../../db/tables.ts';
import type { RecipientRequest, RecipientStatus } from '../../domain/campaigns/campaigns.ts';
import { invalid, notFound, OutreachError } from '../../domain/errors.ts';
import { getCampaignLead, type CampaignLeadView } from './campaign-leads.ts';
import { wakeCampaign } from './campaign-wakes.ts';
import { lockOwnCampaign } from './campaigns.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'temporal'>;

interface Subject {
  userId: string;
  id: number;
}

/** The same state again changes nothing; a lead whose sequence has ended is INVALID_STATE. */
export async function requestOfLead(
  context: Needs,
  subject: Subject,
  { leadId, request }: { leadId: number; request: RecipientRequest },
): Promise<CampaignLeadView> {
  await commitOnce(context.db, async (trx) => {
    const { ended, changed, unchanged } = await ask(context, trx, subject, {
      leadIds: [leadId],
      request,
    });
    const status = ended.get(leadId);
    if (status !== undefined) throw invalid('INVALID_STATE', endedWords(status, request));
    if (changed.length + unchanged.length === 0) throw notFound('lead');
    const [before, after] = TOLD[request];
    if (changed.length === 0) noteChange({ after: { leadId, changed: 0 } });
    else noteChange({ before: { leadId, ...before }, after: { leadId, ...after } });
  });
  return getCampaignLead(context, subject, leadId);
}

/** What a lead is that such a request changes, and what it is afterwards. */
const TOLD: Record<RecipientRequest, [before: object, after: object]> = {
  pause: [{ isPaused: false }, { isPaused: true }],
  resume: [{ isPaused: true }, { isPaused: false }],
  remove: [{ isRemoved: false }, { isRemoved: true }],
};

const DONE: Record<RecipientRequest, string> = {
  pause: 'paused',
  resume: 'resumed',
  remove: 'removed',
};

const endedWords = (status: RecipientStatus, request: RecipientRequest): string =>
  status === 'removed'
    ? `A lead that is removed cannot be ${DONE[request]}; add it again by its id`
    : `A lead that is ${status} has nothing more to come and cannot be ${DONE[request]}`;

export interface RequestedLeads {
  changed: number;
  unchanged: number;
  skipped: number;
  skippedReasons: { not_in_campaign?: number; ended?: number };
}

/**
 * Any number of leads, thousands per transaction: what was changed before a failure stays, and a repeat
 * does the rest.
 */
export async function requestOfLeads(
  context: Needs,
  subject: Subject,
  { leadIds, request }: { leadIds: readonly number[]; request: RecipientRequest },
): Promise<RequestedLeads> {
  const wanted = [...new Set(leadIds)];
  let sum = { changed: 0, unchanged: 0, ended: 0 };
  const add = (done: RequestedRecipients) => ({
    changed: sum.changed + done.changed.length,
    unchanged: sum.unchanged + done.unchanged.length,
    ended: sum.ended + done.ended.size,
  });
  const work = (trx: Transaction<Database>, batch: readonly number[]) =>
    ask(context, trx, subject, { leadIds: batch, request });
  let from = 0;
  if (wanted.length > ENROLLED_AT_ONCE) {
    // The entry comes with the first batch.
    noteChange({ after: { leadIds: wanted, leads: wanted.length } });
  }
  for (; from + ENROLLED_AT_ONCE < wanted.length; from += ENROLLED_AT_ONCE) {
    const batch = wanted.slice(from, from + ENROLLED_AT_ONCE);
    sum = add(await inEntry(context.db, (trx) => work(trx, batch)));
  }
  // The last transaction commits the sum of all: a repeated request gets the answer of the first.
  const { changed, unchanged, ended } = await commitOnce(context.db, async (trx) => {
    const done = add(await work(trx, wanted.slice(from)));
    noteChange({ after: { leadIds: wanted, ...done } });
    return done;
  });
  const absent = wanted.length - changed - unchanged - ended;
  return {
    changed,
    unchanged,
    skipped: absent + ended,
    skippedReasons: { ...(absent > 0 && { not_in_campaign: absent }), ...(ended > 0 && { ended }) },
  };
}

async function ask(
  context: Needs,
  trx: Transaction<Database>,
  { userId, id: campaignId }: Subject,
  { leadIds, request }: { leadIds: readonly number[]; request: RecipientRequest },
): Promise<RequestedRecipients> {
  const campaign = await lockOwnCampaign(trx, userId, campaignId);
  if (campaign.status === 'cancelled') {
    throw invalid('INVALID_STATE', `Leads of a cancelled campaign cannot be ${DONE[request]}`);
  }
  const now = context.clock.now();
  const done = await requestOfRecipients(trx, { campaignId, leadIds, now }, request);
  if (done.changed.length > 0) await tell(context, trx, campaign, request);
  return done;
}

/**
 * A waiting campaign may now have no leads left, or a lead that is due earlier. Pausing and removing
 * must work while Temporal is down: then the campaign notices when it would have sent. A resumed lead is
 * noticed through the signal only, so there a failure is 502.
 */
async function tell(
  context: Needs,
  trx: Transaction<Database>,
  { id: campaignId, status }: Campaign,
  request: RecipientRequest,
): Promise<void> {
  if (status !== 'active') return;
  // A waiting session polls the row.
  await touchCampaign(trx, campaignId);
  try {
    await wakeCampaign(context, trx, { campaignId, because: 'settingsChanged' });
  } catch (error) {
    if (request === 'resume' || !(error instanceof OutreachError)) throw error;
  }
}
