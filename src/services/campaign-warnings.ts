/** What the owner of a campaign should know before it starts, and what does not stop it. Choice 8. */
import type { Kysely } from 'kysely';
import type { CampaignMailbox } from '../db/campaign-leads.ts';
import type { Campaign } from '../db/campaigns.ts';
import { countLeadsWithout, MAX_LEADS_LOOKED_AT } from '../db/lacking-leads.ts';
import type { Database } from '../db/tables.ts';
import type { WrittenStep } from '../domain/campaigns.ts';
import { fragileTexts } from '../domain/empty-letters.ts';
import type { FieldProblem } from '../domain/errors.ts';
import { usesVariable } from '../domain/templates.ts';

export interface Warned {
  campaign: Campaign;
  mailboxes: readonly CampaignMailbox[];
  steps: readonly WrittenStep[];
  leads: number;
}

export const warningsOf = async (db: Kysely<Database>, about: Warned): Promise<FieldProblem[]> => [
  ...mailboxWarnings(about.mailboxes),
  ...copyWarnings(about.steps),
  ...(await emptyLetterWarnings(db, about)),
];

function mailboxWarnings(mailboxes: readonly CampaignMailbox[]): FieldProblem[] {
  const field = 'assignedMailboxes';
  return mailboxes.flatMap((mailbox) => {
    const { email, failing_reason, warmup_status, out_reason } = mailbox;
    if (out_reason === 'removed') return [];
    if (!mailbox.is_active) return [{ field, message: `${email} is not active` }];
    if (failing_reason !== null) return [{ field, message: `${email} fails: ${failing_reason}` }];
    if (warmup_status === null || warmup_status === 'inactive') {
      return [{ field, message: `${email} was not warmed up` }];
    }
    return warmup_status === 'active' ? [] : [{ field, message: `${email} is ${warmup_status}` }];
  });
}

function copyWarnings(steps: readonly WrittenStep[]): FieldProblem[] {
  const first = steps[0];
  if (!first || usesVariable(first.bodyTemplate, 'firstName')) return [];
  if (usesVariable(first.bodyTemplate, 'fullName') || usesVariable(first.bodyTemplate, 'company')) {
    return [];
  }
  return [{ field: 'bodyTemplate', message: 'bodyTemplate is the same for every lead' }];
}

/** A letter of which nothing is left is not sent. */
async function emptyLetterWarnings(
  db: Kysely<Database>,
  { campaign, steps, leads }: Warned,
): Promise<FieldProblem[]> {
  const of = leads > MAX_LEADS_LOOKED_AT ? ` of the first ${MAX_LEADS_LOOKED_AT}` : '';
  const warnings: FieldProblem[] = [];
  for (const { field, facts } of fragileTexts(steps)) {
    const lacking = facts.length === 0 ? leads : await countLeadsWithout(db, campaign.id, facts);
    if (lacking === 0) continue;
    const lack = facts.length === 0 ? '' : ` without ${facts.join(', ')}`;
    const message = `${field} comes out empty for ${lacking}${of} lead(s)${lack}: an empty letter is not sent`;
    warnings.push({ field, message });
  }
  return warnings;
}
