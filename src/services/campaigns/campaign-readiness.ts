/** What a campaign still needs before it may send, and what its owner should know. Choices 8, 56. */
import type { Kysely, Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import {
  findUser,
  holdUser,
  missingSenderFields,
  type UserRow,
} from '../../db/accounts/accounts.ts';
import { listCampaignMailboxes, outReasonOf } from '../../db/campaigns/campaign-leads.ts';
import { addressPolicyOf, hasRecipientsDue, type Campaign } from '../../db/campaigns/campaigns.ts';
import { readStats } from '../../db/campaigns/campaign-stats.ts';
import { listSteps } from '../../db/campaigns/campaign-steps.ts';
import { countContacted } from '../../db/campaigns/contacted-addresses.ts';
import { listVerdicts } from '../../db/campaigns/held-addresses.ts';
import type { Database } from '../../db/tables.ts';
import { countAddresses, type AddressCounts } from '../../domain/campaigns/address-risk.ts';
import type { WrittenStep } from '../../domain/campaigns/campaigns.ts';
import { invalid, type FieldProblem } from '../../domain/errors.ts';
import {
  customIdsOf,
  missingValuesOf,
  problemsOfCopy,
  type MissingValues,
} from './campaign-custom.ts';
import { warningsOf } from './campaign-warnings.ts';
import { getUserCampaign } from './campaigns.ts';

export interface Preflight {
  ready: boolean;
  /** Problems for which a start would be refused. */
  problems: FieldProblem[];
  /** Warnings, which do not prevent a start. */
  warnings: FieldProblem[];
  leads: number;
  mailboxes: number;
  /** Addresses of the leads that still have messages to get. */
  addresses: AddressCounts;
  /** How many leads that wait for their first message were contacted before. */
  contactedBefore: number;
  /** What leads lack of what the texts say without a fallback, of the first 10,000 leads. */
  missingValues: MissingValues[];
}

/** Choice 8: everything that a start checks, without starting. */
export async function preflight(
  context: Pick<Context, 'db' | 'config' | 'clock'>,
  userId: string,
  id: number,
): Promise<Preflight> {
  const campaign = await getUserCampaign(context, userId, id);
  const user = await findUser(context.db, userId);
  const [problems, mailboxes, stats, steps, verdicts, contactedBefore] = await Promise.all([
    problemsOf(context.db, campaign, user, { needsLeads: true }),
    listCampaignMailboxes(context.db, id),
    readStats(context.db, [id]),
    listSteps(context.db, [id]),
    listVerdicts(context.db, id),
    countContacted(context.db, campaign),
  ]);
  const written = steps.get(id)!;
  const fields = await customIdsOf(context.db, userId, written);
  const missingValues = await missingValuesOf(context.db, id, written, fields);
  const warnings = await warningsOf(context, {
    campaign,
    fields,
    timezone: user?.timezone ?? 'UTC',
    mailboxes,
    steps: written,
    leads: stats.get(id)!.leads,
  });
  return {
    ready: problems.length === 0,
    problems,
    warnings,
    leads: stats.get(id)!.leads,
    mailboxes: mailboxes.filter((mailbox) => outReasonOf(mailbox, 'first') === null).length,
    addresses: countAddresses(addressPolicyOf(campaign), verdicts),
    contactedBefore,
    missingValues,
  };
}

/**
 * 400 CAMPAIGN_NOT_READY whose `details` name the fields. The account stays locked until the transaction
 * ends: a request that empties it meanwhile waits, and then finds the campaign active.
 */
export async function assertReady(
  trx: Transaction<Database>,
  campaign: Campaign,
  what: { needsLeads: boolean },
): Promise<void> {
  const user = await holdUser(trx, campaign.user_id);
  const problems = await problemsOf(trx, campaign, user, what);
  if (problems.length === 0) return;
  const words = problems.map(({ message }) => message).join('; ');
  throw invalid('CAMPAIGN_NOT_READY', `The campaign is not ready: ${words}`, problems);
}

async function problemsOf(
  db: Kysely<Database>,
  campaign: Campaign,
  user: UserRow | undefined,
  { needsLeads }: { needsLeads: boolean },
): Promise<FieldProblem[]> {
  const mailboxes = await listCampaignMailboxes(db, campaign.id);
  const steps = (await listSteps(db, [campaign.id])).get(campaign.id)!;
  const problems: FieldProblem[] = [];
  const missing = (field: string, message: string) => problems.push({ field, message });
  if (!mailboxes.some((mailbox) => mailbox.is_active && mailbox.out_reason !== 'removed')) {
    missing('assignedMailboxes', 'assignedMailboxes needs at least one active mailbox');
  }
  const isFedByAnswers = campaign.starts_on_interests !== null;
  if (needsLeads && !isFedByAnswers && !(await hasRecipientsDue(db, campaign.id))) {
    missing('leads', 'leads: nobody is left who can be written to');
  }
  problems.push(...(await templateProblemsOf(db, campaign, steps)));
  for (const field of missingSenderFields(user)) {
    missing(field, `${field} of the account is required`);
  }
  return problems;
}

async function templateProblemsOf(
  db: Kysely<Database>,
  { user_id: userId }: Campaign,
  steps: readonly WrittenStep[],
): Promise<FieldProblem[]> {
  const [first, ...followups] = steps;
  if (!first) return [{ field: 'bodyTemplate', message: 'bodyTemplate is required' }];
  return problemsOfCopy(db, userId, {
    subjectTemplate: first.subjectTemplate ?? '',
    bodyTemplate: first.bodyTemplate,
    variants: first.variants,
    steps: followups.map((step) => ({
      order: step.position,
      subjectTemplate: step.subjectTemplate ?? undefined,
      bodyTemplate: step.bodyTemplate,
      variants: step.variants,
    })),
  });
}
