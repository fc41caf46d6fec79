/** Start, pause, resume and cancel of a campaign. Choices 7, 8. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { moveCampaign, REQUESTS } from '../../transactions/campaign-states.ts';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import { listLeadListIds } from '../../db/campaigns/campaign-settings.ts';
import {
  findLatestOperation,
  insertOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import type { Database } from '../../db/tables.ts';
import { runCampaignFlow } from '../../domain/campaigns/flows.ts';
import { invalid, OutreachError } from '../../domain/errors.ts';
import type { JobRequest } from '../../domain/operations/jobs.ts';
import { ACTOR } from '../accounts/actors.ts';
import { enrollLists, NOBODY_SKIPPED } from './campaign-lists.ts';
import { assertReady } from './campaign-readiness.ts';
import { getCampaign, lockOwnCampaign, type CampaignView, type EnrolledView } from './campaigns.ts';
import { tellJob } from '../operations/jobs.ts';
import { paceOf } from '../operations/operations.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'temporal' | 'startOperation'>;

interface Subject {
  userId: string;
  id: number;
}

/**
 * Choice 8. Starts a draft, or a completed campaign that has new leads: it is re-opened by an explicit
 * start only. 400 CAMPAIGN_NOT_READY names all that is missing.
 */
export async function startCampaign(context: Needs, subject: Subject): Promise<EnrolledView> {
  const { userId, id } = subject;
  const started = await commitOnce(context.db, async (trx) => {
    const campaign = await lockOwnCampaign(trx, userId, id);
    if (campaign.status === 'active') return undefined;
    if (campaign.status === 'paused' || campaign.status === 'cancelled') {
      const hint = campaign.status === 'paused' ? '; resume it' : '';
      throw invalid('INVALID_STATE', `A campaign that is ${campaign.status} cannot start${hint}`);
    }
    noteChange({ before: { status: campaign.status }, after: { status: 'active' } });
    const now = context.clock.now();
    const ids = (await listLeadListIds(trx, [id])).get(id)!;
    const skipped = await enrollLists(trx, campaign, { ids, now });
    await assertReady(trx, campaign, { needsLeads: true });
    return { operation: await beginRun(context, trx, campaign), skipped };
  });
  if (started) await context.startOperation(started.operation);
  const { skipped = NOBODY_SKIPPED } = started ?? {};
  return { ...(await getCampaign(context, userId, id)), ...skipped };
}

/** Begins the next workflow of a campaign; the row, the event and the intent in one transaction. */
async function beginRun(
  context: Needs,
  trx: Transaction<Database>,
  campaign: Campaign,
): Promise<Operation> {
  const { id, user_id: userId, status } = campaign;
  const run = campaign.run + 1;
  const now = context.clock.now();
  await moveCampaign(trx, id, { from: [status], to: 'active', run, warning: null, now });
  const input = { campaignId: id, pace: paceOf(context) };
  return insertOperation(trx, runCampaignFlow, input, {
    userId,
    run,
    summary: `Send campaign ${id}`,
    requested: { actor: ACTOR.user(userId), reason: status === 'paused' ? 'resumed' : 'started' },
  });
}

/**
 * Choice 8: the same state again is a no-op, an illegal request is 400. The row changes and the workflow
 * is signalled, or neither.
 */
export async function requestOfCampaign(
  context: Needs,
  { userId, id }: Subject,
  request: JobRequest,
): Promise<CampaignView> {
  const { from, to } = REQUESTS[request];
  const started = await commitOnce(context.db, async (trx) => {
    const campaign = await lockOwnCampaign(trx, userId, id);
    if (campaign.status === to) return undefined;
    if (!from.includes(campaign.status)) {
      throw invalid(
        'INVALID_STATE',
        `A campaign that is ${campaign.status} cannot be ${DONE[request]}`,
      );
    }
    noteChange({ before: { status: campaign.status }, after: { status: to } });
    if (request === 'resume') await assertReady(trx, campaign, { needsLeads: false });
    const operation = await findLatestOperation(trx, 'campaign', id);
    // Its run ended early: resuming begins another one.
    if (request === 'resume' && operation?.finished_at) return beginRun(context, trx, campaign);
    const pauseReason = request === 'pause' ? 'user' : null;
    const warning = request === 'resume' ? null : undefined;
    await moveCampaign(trx, id, { from, to, pauseReason, warning, now: context.clock.now() });
    if (operation) await tell(context, trx, { operation, request });
    return undefined;
  });
  if (started) await context.startOperation(started);
  return getCampaign(context, userId, id);
}

const DONE: Record<JobRequest, string> = {
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
};

/**
 * Stopping must work while Temporal is down: a session polls the row every few seconds. A paused
 * campaign notices a resume through the signal only, so there a failure is 502.
 */
async function tell(
  context: Needs,
  trx: Transaction<Database>,
  { operation, request }: { operation: Operation; request: JobRequest },
): Promise<void> {
  try {
    await tellJob(context, trx, operation, request);
  } catch (error) {
    if (request === 'resume' || !(error instanceof OutreachError)) throw error;
  }
}
