/** The routes for a campaign's results: in total, by day and by message. Choice 8. */
import { z } from 'zod';
import { DAY_MS } from '../../domain/day.ts';
import type { Context } from '../../context.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams } from '../../http/schemas.ts';
import {
  readAnalytics,
  readDailyAnalytics,
  readStepAnalytics,
} from '../../services/campaigns/campaign-status.ts';
import { counts, iso, presentCounts, presentStats, stats } from './campaign-shapes.ts';
import { comparison, presentComparison, winner } from './campaign-winner-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock'>;

const tag = 'Campaigns';

export const campaignAnalyticsRoutes = (context: Needs): Route[] => [
  analytics(context),
  daily(context),
  byStep(context),
];

const analytics = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/analytics',
    operationId: 'campaigns.readAnalytics',
    tag,
    summary: 'Shows the results of a campaign.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
    params: idParams,
    response: stats.extend({
      replyRate: z.number().describe('Per cent of the contacted leads.'),
      bounceRate: z.number().describe('Per cent of the messages that were sent.'),
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

/** One decimal; 0 for an empty whole. */
const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10;

const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;
const today = (context: Needs) => context.clock.now().toISOString().slice(0, 10);
const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

/** No message is older, and Postgres has no year 0. */
const FIRST_DAY = '2000-01-01';
const day = z.iso.date().refine((text) => text >= FIRST_DAY, `must not be before ${FIRST_DAY}`);

/** Invalid days may be passed, too: false for these. */
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
    operationId: 'campaigns.readDailyAnalytics',
    tag,
    summary: 'Shows the results for each day (UTC) of a range.',
    description: `The last ${DEFAULT_DAYS} days by default, ${MAX_DAYS} at most; both ends included.`,
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
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

const stepResults = z.array(
  z.object({
    position: z.int(),
    delayDays: z.int(),
    subjectTemplate: z.string().nullable(),
    ...counts,
    winner,
    variants: z.array(
      z.object({
        variant: z.int(),
        isCurrent: z.boolean(),
        subjectTemplate: z
          .string()
          .nullable()
          .describe('Null: it is a reply in its thread, or is not stored any more.'),
        bodyTemplate: z.string().nullable().describe('Null: it is not stored any more.'),
        ...counts,
        interested: z
          .int()
          .describe('Messages with an answer that means `interested` or `meeting`.'),
        comparison,
      }),
    ),
  }),
);

const byStep = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/analytics/steps',
    operationId: 'campaigns.readStepAnalytics',
    tag,
    summary: 'Shows the results of each message of the sequence, and of each of its variants.',
    description:
      'Position 0 is the first message; variant 0 is the text that it stands with, the others follow it. ' +
      'A text that is changed after it was sent gets a number of its own, so that each number stands ' +
      'for one text for ever: `isCurrent` says which are sent now. What was sent of a ' +
      'longer sequence or of a text that is gone stays, so that the sums are those of the campaign. ' +
      '`winner` is the text that alone is sent (`autoWinner`), and `comparison` how sure it is which is best.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
    params: idParams,
    response: stepResults,
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, id: params.id };
      const steps = await readStepAnalytics(context, subject);
      return steps.map(({ step, variants, ...row }) => ({
        position: step.position,
        delayDays: step.delayDays,
        subjectTemplate: step.subjectTemplate,
        ...presentCounts(row),
        winner: row.winner && {
          ...row.winner,
          decidedAt: iso(row.winner.decidedAt)!,
        },
        variants: variants.map((one) => ({
          variant: one.variant,
          isCurrent: one.isCurrent,
          subjectTemplate: one.subjectTemplate,
          bodyTemplate: one.bodyTemplate,
          ...presentCounts(one),
          interested: one.interested,
          comparison: presentComparison(one.comparison),
        })),
      }));
    },
  });
