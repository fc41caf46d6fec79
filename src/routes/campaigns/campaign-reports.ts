/** The routes for a campaign's readiness and state. Choice 8. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CAMPAIGN_STATUSES, PAUSE_REASONS } from '../../domain/campaigns/campaigns.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, timestamp } from '../../http/schemas.ts';
import { preflight as checkCampaign } from '../../services/campaigns/campaign-readiness.ts';
import { readSendingStatus } from '../../services/campaigns/campaign-status.ts';
import { campaignAnalyticsRoutes } from './campaign-analytics.ts';
import { campaignMessageRoutes } from './campaign-messages.ts';
import { campaignResultRoutes } from './campaign-results.ts';
import { iso } from './campaign-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'cipher' | 'mailTransport'>;

const tag = 'Campaigns';

export const campaignReportRoutes = (context: Needs): Route[] => [
  preflight(context),
  ...campaignMessageRoutes(context),
  sendingStatus(context),
  ...campaignAnalyticsRoutes(context),
  ...campaignResultRoutes(context),
];

const finding = z.object({ field: z.string(), message: z.string() });

/** Counts by verdict; a lead is counted once among the first six. */
const addresses = z
  .object({
    valid: z.int(),
    catchAll: z.int(),
    risky: z.int().describe('Such as full or disposable ones.'),
    unknown: z.int(),
    invalid: z.int().describe('Never written to.'),
    unverified: z.int(),
    role: z.int().describe('Role addresses such as info@, whatever the verdict.'),
    held: z.int().describe('By `riskyAddresses` and `minValidationScore`.'),
  })
  .describe('Of the leads with messages to come, 10,000 at most.');

const preflight = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/preflight',
    operationId: 'campaigns.readPreflight',
    tag,
    summary: 'Checks what a start would be refused for, and lists warnings.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
    params: idParams,
    response: z.object({
      ready: z.boolean(),
      problems: z.array(finding),
      warnings: z.array(finding),
      leads: z.int(),
      mailboxes: z.int().describe('Those that can send.'),
      addresses,
      contactedBefore: z
        .int()
        .describe(
          'Of the leads who wait for their first message, 10,000 at most: those to whose address another ' +
            'campaign of the account has written. `onlyNeverContacted` leaves them out.',
        ),
      missingValues: z
        .array(
          z.object({
            variable: z.string().describe('Such as `firstName` or `custom.industry`.'),
            fields: z.array(z.string()).describe('The texts that have it without a fallback.'),
            leads: z.int().describe('How many of the first 10,000 leads have no value.'),
            examples: z
              .array(z.object({ id: z.int(), name: z.string(), email: z.string().nullable() }))
              .describe('The first of these leads.'),
          }),
        )
        .describe('Who gets a message with a gap, and where. It prevents no start.'),
    }),
    handler: ({ user, params }) => checkCampaign(context, user.userId, params.id),
  });

const sendingStatus = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/sending-status',
    operationId: 'campaigns.readSendingStatus',
    tag,
    summary: 'Tells whether a campaign sends now, and what each of its mailboxes waits for.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
    params: idParams,
    response: z.object({
      status: z.enum(CAMPAIGN_STATUSES),
      pauseReason: z.enum(PAUSE_REASONS).nullable(),
      warning: z.string().nullable(),
      windowOpen: z
        .boolean()
        .describe('True at any time with `useRecipientTimezone`: somewhere it may be open.'),
      windowStartsAt: timestamp.describe(
        'Of the open window, or of the next one, in the zone of the campaign.',
      ),
      windowEndsAt: timestamp,
      nextSendAt: timestamp.nullable(),
      leads: z.int(),
      waiting: z
        .int()
        .describe('Leads who have not got the first message yet; 10,000 means 10,000 or more.'),
      newLeads: z
        .object({
          today: z.int().describe('Leads whose first message went out today, or is on its way.'),
          limit: z.int().nullable().describe('Of the day; null: none.'),
          nextDayAt: timestamp.describe('When the next day of the campaign begins.'),
        })
        .describe('By `maxNewLeadsPerDay` and `newLeadShare`.'),
      mailboxes: z.array(
        z.object({
          mailboxId: z.int(),
          email: z.string(),
          sentLastDay: z.int(),
          dailyLimit: z.int(),
          sentLastHour: z.int(),
          hourlyLimit: z.int(),
          nextFreeAt: timestamp,
          holdReason: z.string().nullable(),
          failingReason: z.string().nullable(),
          failingSince: timestamp.nullable(),
        }),
      ),
    }),
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, id: params.id };
      return presentStatus(await readSendingStatus(context, subject));
    },
  });

const presentStatus = (status: Awaited<ReturnType<typeof readSendingStatus>>) => ({
  status: status.campaign.status,
  pauseReason: status.campaign.pause_reason,
  warning: status.campaign.warning,
  windowOpen: status.isWindowOpen,
  windowStartsAt: status.window.from.toISOString(),
  windowEndsAt: status.window.until.toISOString(),
  nextSendAt: iso(status.nextSendAt),
  leads: status.stats.leads,
  waiting: status.waiting,
  newLeads: {
    today: status.newLeads.today,
    limit: status.newLeads.limit === Infinity ? null : status.newLeads.limit,
    nextDayAt: status.newLeads.nextDayAt.toISOString(),
  },
  mailboxes: status.mailboxes.map((standing) => ({
    mailboxId: standing.mailbox.mailbox_id,
    email: standing.mailbox.email,
    sentLastDay: standing.sentLastDay,
    dailyLimit: standing.limits.dailyCold,
    sentLastHour: standing.sentLastHour,
    hourlyLimit: standing.limits.hourly,
    nextFreeAt: standing.nextFreeAt.toISOString(),
    holdReason: standing.holdReason,
    failingReason: standing.outReason,
    failingSince: iso(standing.mailbox.failing_since),
  })),
});
