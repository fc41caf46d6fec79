/** The routes of leads in campaigns: adding them, and why each is or is not written to. Choice 9. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { RECIPIENT_STATUSES } from '../../domain/campaigns/campaigns.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, offsetOf, pageQuery, pathId, timestamp } from '../../http/schemas.ts';
import {
  addCampaignLeads,
  SKIP_REASONS,
  type Enrolled,
} from '../../services/campaigns/campaign-enrollments.ts';
import { getCampaignLead, listCampaignLeads } from '../../services/campaigns/campaign-leads.ts';
import { customFilter } from '../leads/custom-field-shapes.ts';
import { campaignLeadRequestRoutes } from './campaign-lead-requests.ts';
import { campaignLead, presentCampaignLead } from './campaign-lead-shapes.ts';
import { cursorSchema, replyPage } from '../cursor.ts';
import { duplicates, iso, skippedReasons } from './campaign-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'temporal'>;

const tag = 'Campaigns';

/** This many ids already fill a body's 1 MB. */
const MAX_IDS = 100_000;

export const campaignLeadRoutes = (context: Needs): Route[] => [
  add(context),
  list(context),
  read(context),
  ...campaignLeadRequestRoutes(context),
];

const choice = z
  .object({
    leadIds: z.array(bodyId).min(1).max(MAX_IDS).optional(),
    leadListId: bodyId.optional(),
    custom: customFilter,
    skipIfInOtherCampaign: z.boolean().default(false),
    onlyNeverContacted: z
      .boolean()
      .optional()
      .describe(
        'Default: as the campaign has it. Of this request alone: before a message only the campaign’s holds.',
      ),
  })
  .refine(
    ({ leadIds, leadListId, custom }) =>
      [leadIds, leadListId, custom].some((each) => each !== undefined),
    { path: ['leadIds'], message: 'or leadListId or custom is required' },
  )
  .refine(({ leadIds, custom }) => !leadIds || !custom, {
    path: ['custom'],
    message: 'is of a list or of all leads, not of leadIds',
  })
  .refine(({ custom }) => !custom || Object.keys(custom).length > 0, {
    path: ['custom'],
    message: 'must name a field',
  });

const add = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/campaigns/:id/leads',
    operationId: 'campaignLeads.add',
    tag,
    summary: 'Adds leads to a campaign, by their ids, as a whole list or by custom fields.',
    description:
      'With `custom` those leads of the list, or of the account, that have the values. A lead that is in it already, must not be written to, or has no usable address is skipped; ' +
      '`skippedReasons` counts them by reason, the first one that fits: ' +
      `${SKIP_REASONS.map((reason) => `\`${reason}\``).join(', ')}. Leads that are added to a ` +
      'completed campaign are written to after the next start.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['CAMPAIGN_NOT_FOUND', 'LEAD_LIST_NOT_FOUND'] },
    params: idParams,
    body: choice,
    response: z.object({
      added: z.int(),
      skipped: z.int(),
      skippedReasons,
      duplicates: duplicates.optional(),
    }),
    handler: async ({ user, params, body }) => {
      const subject = { userId: user.userId, id: params.id };
      const enrolled = await addCampaignLeads(context, subject, body);
      const { duplicates: twins, ...counts } = enrolled;
      const data = { ...counts, ...(twins.length > 0 && { duplicates: twins }) };
      return reply(data, { message: messageOf(enrolled, body) });
    },
  });

function messageOf(
  { added, skipped, skippedReasons: reasons }: Enrolled,
  { leadListId, custom }: z.output<typeof choice>,
): string {
  if (added + skipped === 0) {
    return custom
      ? 'No lead has these values: nobody was added'
      : `Lead list ${leadListId} has no leads: nobody was added`;
  }
  if (reasons.already_in_campaign === skipped && added === 0) {
    return skipped === 1
      ? 'The lead is in the campaign already: nobody was added'
      : `All ${skipped} leads are in the campaign already: nobody was added`;
  }
  return `${added} added, ${skipped} skipped`;
}

/** Opaque to clients: the lead after which the next page begins. */
const cursor = cursorSchema(readCursor, 100);

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/leads',
    operationId: 'campaignLeads.list',
    tag,
    summary: 'Lists the leads of a campaign, each with when it is written to, or why not.',
    description:
      'By `page`, or by `cursor`, which is as fast at the end as at the start. Those who were never ' +
      'added are not among them: `skippedReasons` counts them, and each tells why by its own id.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
    paged: 'cursor',
    params: idParams,
    query: pageQuery.extend({
      status: z.enum(RECIPIENT_STATUSES).optional(),
      cursor: cursor.optional(),
    }),
    response: z.array(campaignLead),
    handler: async ({ user, params, query }) => {
      const subject = { userId: user.userId, id: params.id };
      const { status, limit, cursor: after } = query;
      const place = after === undefined ? { offset: offsetOf(query) } : { after };
      const page = await listCampaignLeads(context, subject, { status, limit, ...place });
      return replyPage(query, page, {
        present: presentCampaignLead,
        cursorOf: ({ lead }) => writeCursor(lead.lead_id),
      });
    },
  });

const SEND_STATES = ['claimed', 'sending', 'sent', 'deferred', 'refused', 'uncertain'] as const;

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id/leads/:leadId',
    operationId: 'campaignLeads.read',
    tag,
    summary: 'Tells why a lead is, or is not, written to, with all messages to it.',
    description:
      'One answer at every moment: `explanation` in a sentence, `holdReason` as a word, ' +
      '`nextSendAt` as the earliest moment of the next message, and each message with its state. ' +
      '`uncertain`: the connection broke while the message was sent; it is never sent twice. ' +
      'A lead that stands in a list of the campaign, or that may not be written to, and is not in ' +
      'the campaign, is `skipped` with what keeps it out now.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND', 'LEAD_NOT_FOUND'] },
    params: idParams.extend({ leadId: pathId }),
    response: campaignLead.extend({
      sends: z.array(
        z.object({
          id: z.int(),
          step: z.int(),
          variant: z.int(),
          state: z.enum(SEND_STATES),
          subject: z.string(),
          mailboxId: z.int(),
          messageId: z.string(),
          threadId: z
            .int()
            .nullable()
            .describe('In the inbox (`GET /v1/inbox/threads/:id`); null until there is an answer.'),
          attempts: z.int(),
          smtpReply: z.string().nullable(),
          claimedAt: timestamp,
          sentAt: timestamp.nullable(),
          openedAt: timestamp.nullable(),
          clickedAt: timestamp.nullable(),
          machineOpenedAt: timestamp.nullable().describe('By a program, as `machineOpened`.'),
          machineClickedAt: timestamp.nullable(),
          repliedAt: timestamp.nullable(),
          bouncedAt: timestamp.nullable(),
          rejectedAt: timestamp.nullable().describe('As spam or by a policy.'),
          rejection: z.string().nullable().describe('What the server said to it.'),
          complainedAt: timestamp.nullable(),
          unsubscribedAt: timestamp.nullable(),
        }),
      ),
    }),
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, id: params.id };
      const view = await getCampaignLead(context, subject, params.leadId);
      return { ...presentCampaignLead(view), sends: view.sends.map(presentSend) };
    },
  });

const presentSend = (row: Awaited<ReturnType<typeof getCampaignLead>>['sends'][number]) => ({
  id: row.id,
  step: row.step,
  variant: row.variant,
  state: row.state,
  subject: row.subject,
  mailboxId: row.mailbox_id,
  messageId: row.message_id,
  threadId: row.thread_id,
  attempts: row.attempts,
  smtpReply: row.smtp_reply,
  claimedAt: row.claimed_at.toISOString(),
  sentAt: iso(row.sent_at),
  openedAt: iso(row.opened_at),
  clickedAt: iso(row.clicked_at),
  machineOpenedAt: iso(row.machine_opened_at),
  machineClickedAt: iso(row.machine_clicked_at),
  repliedAt: iso(row.replied_at),
  bouncedAt: iso(row.bounced_at),
  rejectedAt: iso(row.rejected_at),
  rejection: row.rejection,
  complainedAt: iso(row.complained_at),
  unsubscribedAt: iso(row.unsubscribed_at),
});

const writeCursor = (leadId: number): string => Buffer.from(`${leadId}`).toString('base64url');

function readCursor(text: string): number | undefined {
  const id = Buffer.from(text, 'base64url').toString();
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
