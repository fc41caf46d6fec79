/** The routes of a mailbox's sending limits. Choice 58. */
import { z } from 'zod';
import { DAY_SECONDS } from '../../domain/day.ts';
import type { Context } from '../../context.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams } from '../../http/schemas.ts';
import { changeMailboxLimits, getMailboxLimits } from '../../services/mailboxes/mailbox-limits.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'temporal'>;

export const mailboxLimitRoutes = (context: Needs): Route[] => [read(context), change(context)];

/** The effective limits: the mailbox's own, or the configured ones. */
const limits = z
  .object({ dailyLimit: z.int(), hourlyLimit: z.int(), minGapSeconds: z.int() })
  .meta({ id: 'MailboxLimits' });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/mailboxes/:id/limits',
    operationId: 'mailboxes.readLimits',
    tag: 'Mailboxes',
    summary: 'Reads how much a mailbox may send.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    response: limits,
    handler: ({ user, params }) =>
      getMailboxLimits(context, { userId: user.userId, mailboxId: params.id }),
  });

/** Cold messages a day stay below the hard limit of all messages, which is a setting. */
const change = (context: Needs) => {
  const dailyMax = context.config.SEND_MAILBOX_DAILY_MAX;
  return route({
    method: 'patch',
    path: '/v1/mailboxes/:id/limits',
    operationId: 'mailboxes.updateLimits',
    tag: 'Mailboxes',
    summary: 'Changes how much a mailbox may send.',
    description:
      'Cold messages a day, messages an hour and seconds between two messages. `null` goes back to ' +
      'the configured default; what is left out stays.',
    status: 200,
    errors: { 404: ['MAILBOX_NOT_FOUND'] },
    params: idParams,
    body: z.object({
      dailyLimit: z.int().min(1).max(dailyMax).nullable().optional(),
      hourlyLimit: z.int().min(1).max(dailyMax).nullable().optional(),
      minGapSeconds: z.int().min(0).max(DAY_SECONDS).nullable().optional(),
    }),
    response: limits,
    handler: ({ user, params, body }) =>
      changeMailboxLimits(context, { userId: user.userId, mailboxId: params.id }, body),
  });
};
