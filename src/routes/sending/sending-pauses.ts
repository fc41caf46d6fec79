/** The route of pauses of sending for refusals. Choice 9. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { PAUSE_SCOPES } from '../../domain/sending/policy-refusals.ts';
import { paged } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { offsetOf, pageQuery, timestamp } from '../../http/schemas.ts';
import { listUserSendingPauses, type PauseView } from '../../services/sending/sending-pauses.ts';

type Needs = Pick<Context, 'db' | 'clock'>;

export const sendingPauseRoutes = (context: Needs): Route[] => [list(context)];

const scope = z.enum(PAUSE_SCOPES);
const state = z.enum(['running', 'over']);

const pause = z
  .object({
    id: z.int(),
    state,
    scope: scope.describe(
      '`mailbox`, `domain`, `server`: what messages go out from. `provider`: whom they go to.',
    ),
    subject: z
      .string()
      .describe('The id of the mailbox or server, the name of the domain or provider.'),
    reason: z
      .literal('policy_rejections')
      .describe('Too many messages were refused as spam or by a policy.'),
    messages: z.int().describe('Messages that count: of the last days, or since the pause before.'),
    rejected: z.int().describe('Those of them that were refused.'),
    words: z.string().describe('What the server said of the last refusal, without addresses.'),
    since: timestamp,
    until: timestamp.describe('Then sending goes on by itself.'),
  })
  .meta({ id: 'SendingPause' });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/sending-pauses',
    operationId: 'sendingPauses.list',
    tag: 'Mailboxes',
    summary: 'Lists what gets or sends no campaign messages for refusals, newest first.',
    description:
      'Where too large a part of the messages is refused as spam or by a policy, a mailbox, a domain, a server, ' +
      'or all messages to a provider are paused until `until`; the event `sending.paused` tells the same. ' +
      'Campaigns go on with what is not paused.',
    status: 200,
    errors: {},
    paged: true,
    query: pageQuery.extend({ scope: scope.optional(), state: state.optional() }),
    response: z.array(pause),
    handler: async ({ user, query }) => {
      const { limit, scope: only, state: wanted } = query;
      const page = { scope: only, state: wanted, limit, offset: offsetOf(query) };
      const { rows, total } = await listUserSendingPauses(context, user.userId, page);
      return paged(rows.map(present), query, total);
    },
  });

const present = (row: PauseView): z.infer<typeof pause> => ({
  id: row.id,
  state: row.isRunning ? 'running' : 'over',
  scope: row.scope,
  subject: row.subject,
  reason: 'policy_rejections',
  messages: row.letters,
  rejected: row.rejected,
  words: row.words,
  since: row.since.toISOString(),
  until: row.until.toISOString(),
});
