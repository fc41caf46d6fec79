/** Start, pause, resume and cancel of a campaign. Spec: Campaigns; choices 6-12. */
import type { Context } from '../../context.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams } from '../../http/schemas.ts';
import { requestOfCampaign, startCampaign } from '../../services/campaigns/campaign-requests.ts';
import { campaign, enrolledCampaign, presentCampaign, presentEnrolled } from './campaign-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'temporal' | 'startOperation'>;

const tag = 'Campaigns';

export const campaignControlRoutes = (context: Needs): Route[] => [
  start(context),
  control(context, 'pause', {
    summary: 'Pauses a campaign between two messages.',
    message: 'The campaign is paused',
  }),
  control(context, 'resume', {
    summary: 'Resumes a paused campaign where it stood.',
    message: 'The campaign goes on',
  }),
  control(context, 'cancel', {
    summary: 'Cancels a campaign for good.',
    message: 'The campaign is cancelled',
  }),
];

const start = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/campaigns/:id/start',
    operationId: 'campaigns.start',
    tag,
    summary: 'Starts a draft, or a completed campaign that has new leads.',
    description:
      '400 `CAMPAIGN_NOT_READY` with `details[]` naming what is missing: `assignedMailboxes`, ' +
      "`leads`, a template, the account's `senderName` or `postalAddress`. An active campaign stays " +
      'as it is.',
    status: 200,
    errors: {
      400: ['INVALID_STATE', 'CAMPAIGN_NOT_READY'],
      404: ['CAMPAIGN_NOT_FOUND', 'LEAD_LIST_NOT_FOUND'],
    },
    params: idParams,
    response: enrolledCampaign,
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, id: params.id };
      return reply(presentEnrolled(await startCampaign(context, subject)), {
        message: 'The campaign is active',
      });
    },
  });

const control = (
  context: Needs,
  request: 'pause' | 'resume' | 'cancel',
  { summary, message }: { summary: string; message: string },
) =>
  route({
    method: 'post',
    path: `/v1/campaigns/:id/${request}`,
    operationId: `campaigns.${request}`,
    tag,
    summary,
    description:
      'Takes effect within seconds, never within a message. The same state again changes nothing; ' +
      'from any other state it is 400 `INVALID_STATE`.',
    status: 200,
    errors: {
      400: ['INVALID_STATE', ...(request === 'resume' ? (['CAMPAIGN_NOT_READY'] as const) : [])],
      404: ['CAMPAIGN_NOT_FOUND'],
    },
    params: idParams,
    response: campaign,
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, id: params.id };
      return reply(presentCampaign(await requestOfCampaign(context, subject, request)), {
        message,
      });
    },
  });
