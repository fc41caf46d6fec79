/** Warnings for the owner of a campaign that do not prevent its start. Choice 8. */
import type { Kysely } from 'kysely';
import type { Context } from '../../context.ts';
import type { CampaignMailbox } from '../../db/campaigns/campaign-leads.ts';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import {
  countLeadsWithout,
  MAX_LEADS_LOOKED_AT,
  type CustomIds,
} from '../../db/campaigns/lacking-leads.ts';
import type { Database } from '../../db/tables.ts';
import type { WrittenStep } from '../../domain/campaigns/campaigns.ts';
import { fragileTexts, LEAD_FACTS } from '../../domain/sending/empty-messages.ts';
import type { FieldProblem } from '../../domain/errors.ts';
import { customNamesIn, usesVariable } from '../../domain/campaigns/templates.ts';
import { wakingDayAfter } from '../../domain/warmup/warmup-days.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock'>;

export interface Warned {
  campaign: Campaign;
  /** The account's time zone, by which mailboxes warm up. */
  timezone: string;
  mailboxes: readonly CampaignMailbox[];
  steps: readonly WrittenStep[];
  leads: number;
  /** Custom fields that its texts use. */
  fields: CustomIds;
}

export const warningsOf = async (context: Needs, about: Warned): Promise<FieldProblem[]> => [
  ...mailboxWarnings(context, about),
  ...copyWarnings(about.steps),
  ...followupWarnings(about),
  ...newLeadWarnings(about),
  ...(await emptyMessageWarnings(context.db, about)),
];

function mailboxWarnings(context: Needs, { mailboxes, timezone }: Warned): FieldProblem[] {
  const field = 'assignedMailboxes';
  return mailboxes.flatMap((mailbox) => {
    const { email, failing_reason, warmup_status, out_reason } = mailbox;
    if (out_reason === 'removed') return [];
    if (!mailbox.is_active) return [{ field, message: `${email} is not active` }];
    if (failing_reason !== null) return [{ field, message: `${email} fails: ${failing_reason}` }];
    if (warmup_status === null || warmup_status === 'inactive') {
      return [{ field, message: `${email} was not warmed up` }];
    }
    const first = firstColdDay(context, mailbox, timezone);
    const since = first === undefined ? '' : ` and sends first on ${first}, if all goes well`;
    return warmup_status === 'active' && first === undefined
      ? []
      : [{ field, message: `${email} is ${warmup_status}${since}` }];
  });
}

/** The day (`YYYY-MM-DD` in the account's zone) from which its warm-up allows cold mail. */
function firstColdDay(
  { config, clock }: Needs,
  { warmup_status, warmup_day, warmup_weekdays_only }: CampaignMailbox,
  timezone: string,
): string | undefined {
  const daysLeft = config.WARMUP_DAYS + 1 - (warmup_day ?? 0);
  const goesOn = warmup_status === 'warming' || warmup_status === 'throttled';
  if (!goesOn || daysLeft <= 0) return undefined;
  const daySeconds = config.DAY_SECONDS;
  const calendar = { timezone, weekdaysOnly: warmup_weekdays_only === true, daySeconds };
  const first = wakingDayAfter(calendar, clock.now(), daysLeft);
  // The Swedish locale formats dates as ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(first);
}

/** Checks every variant of the first message. */
function copyWarnings(steps: readonly WrittenStep[]): FieldProblem[] {
  const first = steps[0];
  if (!first) return [];
  const bodies = [first, ...first.variants].map(({ bodyTemplate }) => bodyTemplate);
  const isPersonal = bodies.some(
    (body) =>
      customNamesIn([body]).length > 0 ||
      [...LEAD_FACTS, 'email' as const].some((fact) => usesVariable(body, fact)),
  );
  if (isPersonal) return [];
  return [{ field: 'bodyTemplate', message: 'bodyTemplate is the same for every lead' }];
}

function followupWarnings({ campaign, steps }: Warned): FieldProblem[] {
  const written = steps.length - 1;
  const most = campaign.max_followups;
  if (written <= most) return [];
  const message = `steps has ${written} follow-up(s), but maxFollowups is ${most}: the others are never sent`;
  return [{ field: 'steps', message }];
}

function newLeadWarnings({ campaign }: Warned): FieldProblem[] {
  const { new_lead_share: share, max_new_leads_per_day: most } = campaign;
  if (share === 0) {
    return [{ field: 'newLeadShare', message: 'newLeadShare is 0: no new lead is written to' }];
  }
  if (!campaign.use_recipient_timezone || share !== null || most !== null) return [];
  const message =
    'with useRecipientTimezone, first messages where the day begins early may use up the mailboxes before ' +
    'follow-ups are due elsewhere: newLeadShare or maxNewLeadsPerDay leaves these a place';
  return [{ field: 'newLeadShare', message }];
}

/** A message that is empty after rendering is not sent. */
async function emptyMessageWarnings(
  db: Kysely<Database>,
  { campaign, steps, leads, fields }: Warned,
): Promise<FieldProblem[]> {
  const of = leads > MAX_LEADS_LOOKED_AT ? ` of the first ${MAX_LEADS_LOOKED_AT}` : '';
  const warnings: FieldProblem[] = [];
  for (const { field, facts } of fragileTexts(steps)) {
    const lacking =
      facts.length === 0 ? leads : await countLeadsWithout(db, campaign.id, facts, fields);
    if (lacking === 0) continue;
    const lack = facts.length === 0 ? '' : ` without ${facts.join(', ')}`;
    const message = `${field} comes out empty for ${lacking}${of} lead(s)${lack}: an empty message is not sent`;
    warnings.push({ field, message });
  }
  return warnings;
}
