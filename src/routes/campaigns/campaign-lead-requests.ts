/** The routes that pause, resume and remove leads of a campaign, one or many. Choice 9. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { RecipientRequest } from '../../domain/campaigns/campaigns.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, pathId } from '../../http/schemas.ts';
import { requestOfLead, requestOfLeads } from '../../services/campaigns/campaign-lead-requests.ts';
import { campaignLead, presentCampaignLead } from './campaign-lead-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'temporal'>;

const tag = 'Campaigns';

/** This many ids already fill a body's 1 MB. */
const MAX_IDS = 100_000;

export const campaignLeadRequestRoutes = (context: Needs): Route[] => [
  ...REQUESTS.map((request) => bulk(context, request)),
  ...REQUESTS.map((request) => single(context, request)),
];

const REQUESTS: readonly RecipientRequest[] = ['pause', 'resume', 'remove'];

const WORDS = {
  pause: {
    summary: 'Pauses one lead of a campaign; the others go on.',
    many: 'Pauses many leads of a campaign.',
    message: 'The lead is paused',
    description:
      'Nothing more is sent to the lead until it is resumed; a message that is being handed over is ' +
      'finished. Paused leads do not keep a campaign from completing.',
  },
  resume: {
    summary: 'Resumes a lead that was paused.',
    many: 'Resumes many leads that were paused.',
    message: 'The lead goes on',
    description:
      'The next message keeps its date, as after a pause of the whole campaign: where that has passed ' +
      'it is due at once. In a completed campaign it goes out after the next start.',
  },
  remove: {
    summary: 'Removes a lead from a campaign for good.',
    many: 'Removes many leads from a campaign for good.',
    message: 'The lead is removed',
    description:
      'Nothing more is sent to the lead by this campaign; what was sent stays readable, and ' +
      'its answers still come in. Lists do not bring it back (`skippedReasons.removed`); adding it by ' +
      'its id does, and it goes on where it stood.',
  },
} as const;

const endings =
  'The same state again changes nothing. A lead whose sequence has ended is 400 `INVALID_STATE`, and so ' +
  'is any lead of a cancelled campaign.';

const single = (context: Needs, request: RecipientRequest) =>
  route({
    method: request === 'remove' ? 'delete' : 'post',
    path: `/v1/campaigns/:id/leads/:leadId${request === 'remove' ? '' : `/${request}`}`,
    operationId: `campaignLeads.${request}`,
    tag,
    summary: WORDS[request].summary,
    description: `${WORDS[request].description} ${endings}`,
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['CAMPAIGN_NOT_FOUND', 'LEAD_NOT_FOUND'] },
    params: idParams.extend({ leadId: pathId }),
    response: campaignLead,
    handler: async ({ user, params }) => {
      const subject = { userId: user.userId, id: params.id };
      const view = await requestOfLead(context, subject, { leadId: params.leadId, request });
      return reply(presentCampaignLead(view), { message: WORDS[request].message });
    },
  });

const bulk = (context: Needs, request: RecipientRequest) =>
  route({
    method: 'post',
    path: `/v1/campaigns/:id/leads/bulk-${request}`,
    operationId: `campaignLeads.${request}Many`,
    tag,
    summary: WORDS[request].many,
    description:
      `${WORDS[request].description} A lead in that state already is \`unchanged\`; ` +
      '`skippedReasons` counts `ended` sequences and leads that are `not_in_campaign`. Thousands are ' +
      'changed at a time, so a request that fails may have changed some; repeating it does the rest.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['CAMPAIGN_NOT_FOUND'] },
    params: idParams,
    body: z.object({ leadIds: z.array(bodyId).min(1).max(MAX_IDS) }),
    response: z.object({
      changed: z.int(),
      unchanged: z.int(),
      skipped: z.int(),
      skippedReasons: z.partialRecord(z.enum(['not_in_campaign', 'ended']), z.int()),
    }),
    handler: ({ user, params, body }) => {
      const subject = { userId: user.userId, id: params.id };
      return requestOfLeads(context, subject, { leadIds: body.leadIds, request });
    },
  });
