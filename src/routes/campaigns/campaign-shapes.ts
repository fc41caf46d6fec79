/** Wire shapes of campaigns and their statistics. Choices 6, 9. */
import { z } from 'zod';
import { riskyAddressesOf } from '../../domain/campaigns/address-risk.ts';
import { CAMPAIGN_STATUSES, PAUSE_REASONS, WEEKDAYS } from '../../domain/campaigns/campaigns.ts';
import { languageOf } from '../../domain/sending/message-languages.ts';
import { timestamp } from '../../http/schemas.ts';
import { MAX_DUPLICATES, SKIP_REASONS } from '../../services/campaigns/campaign-enrollments.ts';
import type { CampaignStats, Counts } from '../../services/campaigns/campaign-status.ts';
import type { CampaignView, EnrolledView } from '../../services/campaigns/campaigns.ts';
import { shownStart } from './campaign-start-shapes.ts';
import { shownAutoWinner, shownWinners } from './campaign-winner-shapes.ts';

export const counts = {
  sent: z.int(),
  failed: z.int(),
  uncertain: z.int(),
  opened: z.int().describe('By people, as far as it can be told.'),
  clicked: z.int().describe('The same.'),
  machineOpened: z
    .int()
    .describe(
      'Fetched by a program: a security gateway, or mail loaded ahead. Counts nowhere else.',
    ),
  machineClicked: z.int().describe('The same.'),
  replied: z.int(),
  autoReplied: z.int(),
  bounced: z.int(),
  rejected: z
    .int()
    .describe(
      'Refused as spam or by a policy; refusals during the SMTP session are in `failed`, too.',
    ),
  unsubscribed: z.int(),
  complained: z.int(),
};

export const stats = z
  .object({
    leads: z
      .int()
      .describe(
        'Leads that are in it now. A deleted or removed one leaves this count, and stays in the others.',
      ),
    paused: z.int().describe('Leads that are paused individually.'),
    removed: z.int().describe('Leads that were removed from it.'),
    companyReplied: z
      .int()
      .describe('Leads that were ended because somebody of their company has answered.'),
    pendingStarts: z.int().describe('Leads that enter it later, by their answers (`startsOn`).'),
    contacted: z
      .int()
      .describe('Leads who got the first message, also those that were deleted since.'),
    ...counts,
  })
  .meta({ id: 'CampaignStats' });

const treatment = z.enum(['allow', 'hold']);

const variant = z.object({ subjectTemplate: z.string().nullable(), bodyTemplate: z.string() });

export const campaign = z
  .object({
    id: z.int(),
    name: z.string(),
    status: z.enum(CAMPAIGN_STATUSES),
    pauseReason: z.enum(PAUSE_REASONS).nullable(),
    warning: z.string().nullable().describe('What a person should know while it runs.'),
    archived: z.boolean(),
    subjectTemplate: z.string(),
    bodyTemplate: z.string(),
    variants: z.array(variant),
    timezone: z.string(),
    activeDays: z.array(z.enum(WEEKDAYS)),
    startTime: z.string(),
    endTime: z.string(),
    assignedMailboxes: z.array(z.string()),
    leadListIds: z.array(z.int()),
    maxFollowups: z.int(),
    followupDelayDays: z.int(),
    steps: z.array(
      z.object({
        order: z.int(),
        delayDays: z.int(),
        subjectTemplate: z.string().nullable(),
        bodyTemplate: z.string(),
        variants: z.array(variant),
      }),
    ),
    trackOpens: z.boolean(),
    trackClicks: z.boolean(),
    trackingDomainId: z.int().nullable(),
    textOnly: z.boolean(),
    language: z.string().describe('As it was set, else as the first message reads.'),
    minValidationScore: z.int().nullable(),
    riskyAddresses: z.object({ catchAll: treatment, unknown: treatment, role: treatment }),
    maxNewLeadsPerDay: z.int().nullable(),
    newLeadShare: z.int().nullable(),
    useRecipientTimezone: z.boolean(),
    onlyNeverContacted: z.boolean(),
    stopCompanyOnReply: z.boolean(),
    startsOn: shownStart,
    autoWinner: shownAutoWinner,
    winners: shownWinners,
    stats,
    enrolling: z
      .boolean()
      .describe(
        'Leads of its lists are still being added, some thousand a minute at least; `stats.leads` says how many are in it.',
      ),
    startedAt: timestamp.nullable(),
    pausedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Campaign' });

export function presentCampaign(view: CampaignView): z.input<typeof campaign> {
  const { campaign: row, steps } = view;
  const [first, ...followups] = steps;
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    pauseReason: row.pause_reason,
    warning: row.warning,
    archived: row.archived,
    subjectTemplate: first!.subjectTemplate ?? '',
    bodyTemplate: first!.bodyTemplate,
    variants: first!.variants.map(presentVariant),
    timezone: row.timezone,
    activeDays: row.active_days,
    startTime: row.start_time,
    endTime: row.end_time,
    // Spec: POST /v1/campaigns. Strings, as in the request.
    assignedMailboxes: view.mailboxIds.map(String),
    leadListIds: view.leadListIds,
    maxFollowups: row.max_followups,
    followupDelayDays: row.followup_delay_days,
    steps: followups.map((step) => ({
      order: step.position,
      delayDays: step.delayDays ?? row.followup_delay_days,
      subjectTemplate: step.subjectTemplate,
      bodyTemplate: step.bodyTemplate,
      variants: step.variants.map(presentVariant),
    })),
    trackOpens: row.track_opens,
    trackClicks: row.track_clicks,
    trackingDomainId: row.tracking_domain_id,
    textOnly: row.text_only,
    language: languageOf(row.language, first),
    minValidationScore: row.min_validation_score,
    riskyAddresses: riskyAddressesOf(row.held_addresses),
    maxNewLeadsPerDay: row.max_new_leads_per_day,
    newLeadShare: row.new_lead_share,
    useRecipientTimezone: row.use_recipient_timezone,
    onlyNeverContacted: row.only_never_contacted,
    stopCompanyOnReply: row.stop_company_on_reply,
    startsOn: row.starts_on_interests && {
      campaignId: row.starts_on_campaign_id,
      interest: row.starts_on_interests,
      afterDays: row.starts_after_days ?? 0,
    },
    autoWinner: row.auto_winner,
    winners: steps.flatMap(({ position, winner }) =>
      winner === undefined ? [] : [{ step: position, variant: winner }],
    ),
    stats: presentStats(view.stats),
    enrolling: row.lists_enrolled_to !== null,
    startedAt: iso(row.started_at),
    pausedAt: iso(row.paused_at),
    completedAt: iso(row.completed_at),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** How many leads were not added, by the first reason that fits. */
export const skippedReasons = z.partialRecord(z.enum(SKIP_REASONS), z.int());

/** Which leads had an address that the campaign has already. Choice 53. */
export const duplicates = z
  .array(z.object({ leadId: z.int(), recipientLeadId: z.int() }))
  .describe(
    `The first ${MAX_DUPLICATES} of \`duplicate_address\`: which lead was left out, and which lead of ` +
      'the campaign has its address.',
  );

export const enrolledCampaign = campaign
  .extend({
    skippedReasons: skippedReasons.describe(
      'How many leads of `leadListIds` were left out just now, by the first reason that fits. While it is `enrolling` ' +
        'the others follow; `GET /v1/campaigns/:id/leads/:leadId` says of each why it was left out.',
    ),
    duplicates: duplicates.optional(),
  })
  .meta({ id: 'EnrolledCampaign' });

export const presentEnrolled = (view: EnrolledView): z.input<typeof enrolledCampaign> => ({
  ...presentCampaign(view),
  skippedReasons: view.skippedReasons,
  ...(view.duplicates.length > 0 && { duplicates: view.duplicates }),
});

export const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const presentVariant = (one: { subjectTemplate?: string | undefined; bodyTemplate: string }) => ({
  subjectTemplate: one.subjectTemplate ?? null,
  bodyTemplate: one.bodyTemplate,
});

export const presentCounts = (row: Counts) => ({
  sent: row.sent,
  failed: row.failed,
  uncertain: row.uncertain,
  opened: row.opened,
  clicked: row.clicked,
  machineOpened: row.machine_opened,
  machineClicked: row.machine_clicked,
  replied: row.replied,
  autoReplied: row.auto_replied,
  bounced: row.bounced,
  rejected: row.rejected,
  unsubscribed: row.unsubscribed,
  complained: row.complained,
});

export const presentStats = (row: CampaignStats): z.input<typeof stats> => ({
  leads: row.leads,
  paused: row.paused,
  removed: row.removed,
  companyReplied: row.company_replied,
  pendingStarts: row.pending_starts,
  contacted: row.contacted,
  ...presentCounts(row),
});
