/** The routes of campaigns. Spec: Campaigns; choices 6-12. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CAMPAIGN_STATUSES } from '../../domain/campaigns/campaigns.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, pageQuery } from '../../http/schemas.ts';
import { changeCampaign } from '../../services/campaigns/campaign-changes.ts';
import {
  createCampaign,
  deleteCampaign,
  getCampaign,
  listCampaigns,
} from '../../services/campaigns/campaigns.ts';
import { duplicateCampaign } from '../../services/campaigns/duplicate-campaign.ts';
import { campaignControlRoutes } from './campaign-controls.ts';
import { campaignLeadRoutes } from './campaign-leads.ts';
import {
  campaignBody,
  campaignChanges,
  changeOfCampaign,
  orderOfCampaign,
} from './campaign-order.ts';
import { templateHelp } from './template-help.ts';
import { campaignReportRoutes } from './campaign-reports.ts';
import { campaign, enrolledCampaign, presentCampaign, presentEnrolled } from './campaign-shapes.ts';
import { pendingStartRoutes } from './pending-starts.ts';
import { orderOf, pageOf, sortQuery } from '../leads/lead-shapes.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'clock' | 'temporal' | 'startOperation' | 'cipher' | 'mailTransport'
>;

const tag = 'Campaigns';

export const campaignRoutes = (context: Needs): Route[] => [
  create(context),
  list(context),
  read(context),
  change(context),
  remove(context),
  duplicate(context),
  ...campaignControlRoutes(context),
  ...campaignLeadRoutes(context),
  ...pendingStartRoutes(context),
  ...campaignReportRoutes(context),
];

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/campaigns',
    operationId: 'campaigns.create',
    tag,
    summary: 'Creates a campaign as a draft.',
    description:
      `${templateHelp}\n\n` +
      'Windows: `endTime` before `startTime` is a window over midnight, which belongs to the day on ' +
      'which it starts; no message leaves at a time that reads outside of the window, clock changes ' +
      'included. Follow-ups go out from the same mailbox. `steps` are their texts, in `order`; ' +
      'without a `subjectTemplate` one answers in the thread (`Re:`), with one it begins a thread ' +
      'of its own. Where `maxFollowups` is more than there are `steps`, short built-in reminders ' +
      'follow; where it is not given, it is the number of `steps`. `variants` (A/B) are sent in ' +
      'turns beside the text they stand with. The leads of `leadListIds` are enrolled at once, and ' +
      'again at the start; ' +
      '`skippedReasons` counts who cannot be written to.\n\n' +
      'Mailboxes that are not yours are 400 `MAILBOX_NOT_FOUND`, naming them.',
    status: 201,
    errors: {
      400: ['MAILBOX_NOT_FOUND', 'TRACKING_DOMAIN_NOT_FOUND'],
      404: ['LEAD_LIST_NOT_FOUND'],
    },
    body: campaignBody,
    response: enrolledCampaign,
    handler: async ({ user, body }) =>
      reply(presentEnrolled(await createCampaign(context, user.userId, orderOfCampaign(body))), {
        message: 'Campaign created',
      }),
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns',
    operationId: 'campaigns.list',
    tag,
    summary: 'Lists the campaigns, newest first.',
    description: 'Archived ones only with `archived=true`.',
    status: 200,
    paged: true,
    query: pageQuery.extend({
      ...sortQuery,
      status: z.enum(CAMPAIGN_STATUSES).optional(),
      archived: z.enum(['true', 'false']).default('false'),
    }),
    response: z.array(campaign),
    handler: async ({ user, query }) => {
      const { rows, total } = await listCampaigns(context, user.userId, {
        filter: {
          status: query.status,
          search: query.search,
          archived: query.archived === 'true',
        },
        order: orderOf(query),
        ...pageOf(query),
      });
      return paged(rows.map(presentCampaign), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/campaigns/:id',
    operationId: 'campaigns.read',
    tag,
    summary: 'Reads a campaign.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
    params: idParams,
    response: campaign,
    handler: async ({ user, params }) =>
      presentCampaign(await getCampaign(context, user.userId, params.id)),
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/campaigns/:id',
    operationId: 'campaigns.update',
    tag,
    summary: 'Changes a campaign, also while it sends.',
    description:
      'Fields that are not given stay; lists (`assignedMailboxes`, `leadListIds`, `steps`, ' +
      '`variants`, `activeDays`) are replaced. Times and mailboxes take effect within seconds. ' +
      'Texts change for leads that have not had the message: what was sent or is already claimed ' +
      'keeps its text, and each new text is counted separately (`analytics/steps`). A follow-up ' +
      'that was sent cannot be removed, nor can its text be repeated at a later position (400 ' +
      '`INVALID_STATE`). A shorter sequence ends at once for leads that have had its last message, ' +
      'and a longer one does not bring them back; delays count from the previous message, also for ' +
      'leads that are already waiting. A mailbox that is removed finishes its threads; with none ' +
      'left, the campaign pauses (`no_mailbox`) while first messages are due. Leads stay when their ' +
      'list is removed. Of a cancelled campaign only `name` and `archived` can be changed. An active ' +
      'one cannot be archived, and starting or resuming an archived one takes it out of the archive.',
    status: 200,
    errors: {
      400: [
        'INVALID_STATE',
        'MAILBOX_NOT_FOUND',
        'TRACKING_DOMAIN_NOT_FOUND',
        'CAMPAIGN_NOT_READY',
      ],
      404: ['CAMPAIGN_NOT_FOUND', 'LEAD_LIST_NOT_FOUND'],
    },
    params: idParams,
    body: campaignChanges,
    response: enrolledCampaign,
    handler: async ({ user, params, body: { ifStatus, ...changes } }) => {
      const subject = { userId: user.userId, id: params.id, ifStatus };
      return presentEnrolled(await changeCampaign(context, subject, changeOfCampaign(changes)));
    },
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/campaigns/:id',
    operationId: 'campaigns.delete',
    tag,
    summary: 'Deletes a campaign that does not send.',
    description:
      'An active or paused campaign is 400 `INVALID_STATE`: cancel it first. It is gone with the answer, however many ' +
      'leads it has. Links in messages that were sent go on working, and suppressions stay.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['CAMPAIGN_NOT_FOUND'] },
    params: idParams,
    response: z.object({ id: z.int() }),
    handler: async ({ user, params }) => {
      await deleteCampaign(context, user.userId, params.id);
      return reply({ id: params.id }, { message: 'Campaign deleted' });
    },
  });

const duplicate = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/campaigns/:id/duplicate',
    operationId: 'campaigns.duplicate',
    tag,
    summary: 'Makes a draft with the same messages, times and mailboxes.',
    description: 'Leads and lists are not copied.',
    status: 201,
    errors: { 404: ['CAMPAIGN_NOT_FOUND'] },
    params: idParams,
    response: campaign,
    handler: async ({ user, params }) =>
      reply(presentCampaign(await duplicateCampaign(context, user.userId, params.id)), {
        message: 'Campaign duplicated',
      }),
  });
