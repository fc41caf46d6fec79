/** The routes that show the letters of a campaign before anybody gets them. Choices 8, 58. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import { readEmailAddress } from '../domain/email-address.ts';
import { reply } from '../http/envelope.ts';
import { route, type Route } from '../http/route.ts';
import { bodyId, idParams } from '../http/schemas.ts';
import { previewCampaign, sendTestEmail } from '../services/campaign-letters.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'cipher' | 'mailTransport'>;

const tag = 'Campaigns';

export const campaignLetterRoutes = (context: Needs): Route[] => [
  preview(context),
  testEmail(context),
];

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
    repeatable: true,
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
      const shown = letters.map(({ headers: _headers, isEmpty: _isEmpty, ...rest }) => rest);
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
    repeatable: true,
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
