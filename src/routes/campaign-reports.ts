/** The routes that show a campaign before, while and after it sends. Choices 8, 58. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import { CAMPAIGN_STATUSES, PAUSE_REASONS } from '../domain/campaigns.ts';
import { readEmailAddress } from '../domain/email-address.ts';
import { reply } from '../http/envelope.ts';
import { route, type Route } from '../http/route.ts';
import { bodyId, idParams, timestamp } from '../http/schemas.ts';
import { previewCampaign, sendTestEmail } from '../services/campaign-letters.ts';
import { preflight as checkCampaign } from '../services/campaign-readiness.ts';
import {
  readAnalytics,
  readDailyAnalytics,
  readSendingStatus,
  readStepAnalytics,
} from '../services/campaign-status.ts';
import { counts, iso, presentCounts, presentStats, stats } from './campaign-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'cipher' | 'mailTransport'>;

const tag = 'Campaigns';

export const campaignReportRoutes = (context: Needs): Route[] => [
  preflight(context),
  preview(context),
  testEmail(context),
  sendingStatus(context),
  analytics(context),
  daily(context),
  byStep(context),
];

const finding = z.object({ field: z.string(), message: z.string() });

const preflight = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/preflight',
    tag,
    summary: 'Says what a start would be refused for, and what is worth knowing before it.',
    status: 200,
    errors: [404],
    params: idParams,
    response: z.object({
      ready: z.boolean(),
      problems: z.array(finding),
      warnings: z.array(finding),
      leads: z.int(),
      mailboxes: z.int().describe('Those that can send.'),
    }),
    handler: ({ user, params }) => checkCampaign(context, user.userId, params.id),
  });

const letter = {
  subject: z.string(),
  text: z.string(),
  html: z.string(),
};

const preview = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/campaigns/:id/preview',
    tag,
    summary: 'Shows all letters as a lead would get them.',
    description:
      'To the lead `leadId`, else to the first one of the campaign, else to somebody made up ' +
      '(`leadId: null`). `subject`, `text` and `html` are those of the first letter. The ' +
      'unsubscribe link of a preview unsubscribes nobody.',
    status: 200,
    errors: [404],
    params: idParams,
    body: z.object({ leadId: bodyId.optional() }).optional(),
    response: z.object({
      leadId: z.int().nullable(),
      ...letter,
      letters: z.array(
        z.object({ position: z.int(), delayDays: z.int(), variant: z.int(), ...letter }),
      ),
    }),
    handler: async ({ user, params, body }) => {
      const subject = { userId: user.userId, id: params.id };
      const { leadId, letters } = await previewCampaign(context, subject, body?.leadId);
      const shown = letters.map(({ headers: _headers, ...rest }) => rest);
      const { subject: line, text, html } = shown[0]!;
      return { leadId, subject: line, text, html, letters: shown };
    },
  });

const address = z
  .string()
  .max(320)
  .refine((text) => readEmailAddress(text) !== undefined, 'must be an e-mail address')
  .transform((text) => readEmailAddress(text)!)
  .meta({ type: 'string', format: 'email' });

const testEmail = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/campaigns/:id/test-email',
    tag,
    summary: 'Sends the first letter to an address of yours.',
    description:
      'From one of the campaign’s mailboxes, with `[Test]` before the subject; it counts nowhere. ' +
      'What the mail server says is answered: 400 `TEST_EMAIL_REFUSED`, or 502 when it cannot be ' +
      'reached. An address on the suppression list is 400 `RECIPIENT_SUPPRESSED`. Twenty an hour.',
    status: 200,
    errors: [404],
    params: idParams,
    body: z.object({ to: address, leadId: bodyId.optional() }),
    response: z.object({
      from: z.string(),
      to: z.string(),
      subject: z.string(),
      reply: z.string(),
    }),
    handler: async ({ user, params, body }) => {
      const subject = { userId: user.userId, id: params.id };
      const sent = await sendTestEmail(context, subject, body);
      return reply({ ...sent, to: body.to.email }, { message: 'Test e-mail sent' });
    },
  });

const sendingStatus = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/sending-status',
    tag,
    summary: 'Tells whether a campaign sends now, and what each of its mailboxes waits for.',
    status: 200,
    errors: [404],
    params: idParams,
    response: z.object({
      status: z.enum(CAMPAIGN_STATUSES),
      pauseReason: z.enum(PAUSE_REASONS).nullable(),
      warning: z.string().nullable(),
      windowOpen: z.boolean(),
      windowStartsAt: timestamp.describe('Of the open window, or of the next one.'),
      windowEndsAt: timestamp,
      nextSendAt: timestamp.nullable(),
      leads: z.int(),
      waiting: z
        .int()
        .describe('Leads who did not get the first letter yet; 10,000 stands for that or more.'),
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

const analytics = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/analytics',
    tag,
    summary: 'What a campaign has reached.',
    status: 200,
    errors: [404],
    params: idParams,
    response: stats.extend({
      replyRate: z.number().describe('Per cent of the contacted leads.'),
      bounceRate: z.number().describe('Per cent of the letters that were sent.'),
      openRate: z.number(),
      clickRate: z.number(),
      unsubscribeRate: z.number(),
    }),
    handler: async ({ user, params }) => {
      const row = await readAnalytics(context, { userId: user.userId, id: params.id });
      return {
        ...presentStats(row),
        replyRate: percent(row.replied, row.contacted),
        bounceRate: percent(row.bounced, row.sent),
        openRate: percent(row.opened, row.sent),
        clickRate: percent(row.clicked, row.sent),
        unsubscribeRate: percent(row.unsubscribed, row.contacted),
      };
    },
  });

/** One decimal; 0 of nothing. */
const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10;

const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
const today = (context: Needs) => context.clock.now().toISOString().slice(0, 10);
const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

/** No letter was sent before, and Postgres knows no year 0. */
const FIRST_DAY = '2000-01-01';
const day = z.iso.date().refine((text) => text >= FIRST_DAY, `must not be before ${FIRST_DAY}`);

/** Also asked of days that are none: false for these. */
const lasts = (range: { from?: string | undefined; to?: string | undefined }, days: number) =>
  Date.parse(range.to ?? '') - Date.parse(range.from ?? '') > days * DAY_MS;

const range = z
  .object({ from: day.optional(), to: day.optional() })
  .refine(({ from, to }) => !lasts({ from: to, to: from }, 0), {
    path: ['from'],
    message: 'must not be after to',
  })
  .refine((asked) => !lasts(asked, MAX_DAYS - 1), {
    path: ['from'],
    message: `must not be more than ${MAX_DAYS} days before to`,
  });

const daily = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/analytics/daily',
    tag,
    summary: 'What happened on each day (UTC) of a range.',
    description: `The last ${DEFAULT_DAYS} days by default, ${MAX_DAYS} at most; both ends included.`,
    status: 200,
    errors: [404],
    params: idParams,
    query: range,
    response: z.array(z.object({ date: z.iso.date(), ...counts })),
    handler: async ({ user, params, query }) => {
      const to = query.to ?? laterDay(query.from, today(context));
      const from = query.from ?? daysBefore(to, DEFAULT_DAYS - 1);
      const subject = { userId: user.userId, id: params.id };
      const longest = daysBefore(to, MAX_DAYS - 1);
      const asked = { from: laterDay(from, longest), to };
      const days = await readDailyAnalytics(context, subject, asked);
      return days.map((row) => ({ date: row.day, ...presentCounts(row) }));
    },
  });

const laterDay = (one: string | undefined, other: string): string =>
  one !== undefined && one > other ? one : other;

const byStep = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/analytics/steps',
    tag,
    summary: 'What each letter of the sequence has reached, and each of its variants.',
    description: 'Position 0 is the first letter; variant 0 is the text that it stands with.',
    status: 200,
    errors: [404],
    params: idParams,
    response: z.array(
      z.object({
        position: z.int(),
        delayDays: z.int(),
        subjectTemplate: z.string().nullable(),
        ...counts,
        variants: z.array(z.object({ variant: z.int(), ...counts })),
      }),
    ),
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, id: params.id };
      const steps = await readStepAnalytics(context, subject);
      return steps.map(({ step, variants, ...row }) => ({
        position: step.position,
        delayDays: step.delayDays,
        subjectTemplate: step.subjectTemplate,
        ...presentCounts(row),
        variants: variants.map((one) => ({ variant: one.variant, ...presentCounts(one) })),
      }));
    },
  });
