/** The route that tells who is to enter a campaign by their answers. Choice 130. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { START_CANCELLATIONS, START_STATUSES } from '../../domain/campaigns/subsequences.ts';
import { INTERESTS } from '../../domain/inbox/interest/interest.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, offsetOf, pageQuery, timestamp } from '../../http/schemas.ts';
import { SKIP_REASONS } from '../../services/campaigns/campaign-enrollments.ts';
import {
  listPendingStarts,
  type LeadStart,
  type StartPlace,
} from '../../services/campaigns/pending-starts.ts';
import { cursorSchema, replyPage } from '../cursor.ts';
import { iso } from './campaign-shapes.ts';

type Needs = Pick<Context, 'db'>;

export const pendingStartRoutes = (context: Needs): Route[] => [list(context)];

const pendingStart = z
  .object({
    leadId: z.int(),
    personFirstName: z.string(),
    personLastName: z.string(),
    personEmail: z.string().nullable(),
    interest: z.enum(INTERESTS).describe('What the answer means.'),
    status: z.enum(START_STATUSES),
    startsAt: timestamp
      .nullable()
      .describe('The lead enters the campaign within a minute of then; null: it is not to enter.'),
    holdReason: z
      .enum(['needs_review'])
      .nullable()
      .describe('What it waits for also when `startsAt` has passed: `PATCH /v1/inbox/:id {kind}`.'),
    cancelReason: z
      .enum([...START_CANCELLATIONS, ...SKIP_REASONS])
      .nullable()
      .describe('Why it is not to enter any more; otherwise null.'),
    answer: z
      .object({
        id: z.int().describe('Of the message: `GET /v1/inbox/:id`.'),
        threadId: z.int(),
        campaignId: z.int().nullable().describe('What was answered; null: it is deleted.'),
        receivedAt: timestamp,
      })
      .nullable()
      .describe('Null: it is deleted.'),
    updatedAt: timestamp.describe('When it was planned, moved or cancelled, or has entered.'),
  })
  .meta({ id: 'PendingStart' });

/** Opaque to clients: the start after which the next page begins. */
const cursor = cursorSchema(readCursor, 100);

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/pending-starts',
    operationId: 'campaigns.listPendingStarts',
    tag: 'Campaigns',
    summary: 'Lists the leads that are to enter a campaign by their answers, and when.',
    description:
      'Those that `stats.pendingStarts` counts, the next one first; empty for a campaign without `startsOn`. ' +
      '`status` lists those instead who have entered it so, or whose start was cancelled, in the order of ' +
      'their ids. Whether a lead may be written to is decided when it is to enter. By `page`, or by ' +
      '`cursor`, which is as fast at the end as at the start.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
    paged: 'cursor',
    params: idParams,
    query: pageQuery.extend({
      status: z.enum(START_STATUSES).default('pending'),
      cursor: cursor.optional(),
    }),
    response: z.array(pendingStart),
    handler: async ({ user, params, query }) => {
      const subject = { userId: user.userId, id: params.id };
      const { status, limit, cursor: after } = query;
      const place = after === undefined ? { offset: offsetOf(query) } : { after };
      const page = await listPendingStarts(context, subject, { status, limit, ...place });
      return replyPage(query, page, { present, cursorOf: writeCursor });
    },
  });

const present = (row: LeadStart): z.input<typeof pendingStart> => ({
  leadId: row.lead_id,
  personFirstName: row.first_name,
  personLastName: row.last_name,
  personEmail: row.email,
  interest: row.interest,
  status: row.status,
  startsAt: iso(row.due_at),
  holdReason: row.is_under_review ? 'needs_review' : null,
  cancelReason: row.reason as z.input<typeof pendingStart>['cancelReason'],
  answer:
    row.message_id !== null && row.thread_id !== null && row.received_at !== null
      ? {
          id: row.message_id,
          threadId: row.thread_id,
          campaignId: row.answered_campaign_id,
          receivedAt: row.received_at.toISOString(),
        }
      : null,
  updatedAt: row.updated_at.toISOString(),
});

const writeCursor = ({ due_micros, lead_id }: LeadStart): string =>
  Buffer.from(`${due_micros}.${lead_id}`).toString('base64url');

function readCursor(text: string): StartPlace | undefined {
  const place = /^(\d{1,16})\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString());
  return place ? { dueMicros: Number(place[1]), leadId: Number(place[2]) } : undefined;
}
