/** The routes that preview a campaign's messages. Choices 8, 58. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readEmailAddress } from '../../domain/email-validation/email-address.ts';
import { isLeadFact } from '../../domain/sending/empty-messages.ts';
import { MAX_FOLLOWUPS } from '../../domain/campaigns/follow-ups.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams } from '../../http/schemas.ts';
import { previewCampaign } from '../../services/campaigns/campaign-messages.ts';
import { sendTestEmail } from '../../services/sending/test-emails.ts';
import { MAX_VARIANTS } from './campaign-order.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'cipher' | 'mailTransport'>;

const tag = 'Campaigns';

export const campaignMessageRoutes = (context: Needs): Route[] => [
  preview(context),
  testEmail(context),
];

const message = {
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable().describe('Null for `textOnly`.'),
};

/** The lead, and which of the messages. */
const choice = {
  leadId: bodyId.optional(),
  step: z.int().min(0).max(MAX_FOLLOWUPS).optional().describe('0 is the first message.'),
  variant: z.int().min(0).max(MAX_VARIANTS).optional().describe('0 is the own text of the step.'),
};

const preview = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/campaigns/:id/preview',
    operationId: 'campaigns.preview',
    tag,
    summary: 'Shows all messages as a lead would get them.',
    description:
      'To the lead `leadId`, else to the first one of the campaign, else to a made-up person ' +
      '(`leadId: null`). `variant` shows that text of the messages which have it, `step` one message ' +
      'alone (0 is the first). `subject`, `text` and `html` are those of the first message that is ' +
      'shown. The unsubscribe link of a preview unsubscribes nobody.',
    status: 200,
    errors: { 404: ['CAMPAIGN_NOT_FOUND', 'LEAD_NOT_FOUND'] },
    repeatable: true,
    changesNothing: true,
    params: idParams,
    body: z.object(choice).optional(),
    response: z.object({
      leadId: z.int().nullable(),
      ...message,
      letters: z.array(
        z.object({
          position: z.int(),
          delayDays: z.int(),
          variant: z.int(),
          /** It continues the thread of the one before. */
          isAnswer: z.boolean(),
          missing: z
            .array(z.string())
            .describe('Variables without a fallback of which the lead has no value.'),
          ...message,
        }),
      ),
    }),
    handler: async ({ user, params, body }) => {
      const subject = { userId: user.userId, id: params.id };
      const { leadId, letters: messages } = await previewCampaign(context, subject, body ?? {});
      const shown = messages.map(({ headers: _headers, isEmpty: _isEmpty, missing, ...rest }) => ({
        ...rest,
        missing: missing.filter(isLeadFact),
      }));
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
    operationId: 'campaigns.sendTestEmail',
    tag,
    summary: 'Sends a message to an address of yours: the first one, or that of `step`.',
    description:
      'From one of the campaign’s mailboxes, with `[Test]` before the subject; it counts nowhere. ' +
      '`step` and `variant` choose as in a preview, and its unsubscribe link unsubscribes nobody. ' +
      'What the mail server says is answered: 400 `TEST_EMAIL_REFUSED`, or 502 when it cannot be ' +
      'reached. An address on the suppression list is 400 `RECIPIENT_SUPPRESSED`. Twenty an hour.',
    status: 200,
    errors: {
      400: ['CAMPAIGN_NOT_READY', 'RECIPIENT_SUPPRESSED', 'TEST_EMAIL_REFUSED'],
      404: ['CAMPAIGN_NOT_FOUND', 'LEAD_NOT_FOUND'],
    },
    repeatable: true,
    params: idParams,
    body: z.object({ to: address, ...choice }),
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
