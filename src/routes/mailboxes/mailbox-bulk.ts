/** Many mailboxes in one request. Choices 27, 58. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { route, type Route } from '../../http/route.ts';
import { pathId } from '../../http/schemas.ts';
import { createMailboxes } from '../../services/mailboxes/mailbox-bulk.ts';
import { address, createdMailbox, password, presentMailbox } from './mailbox-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'startOperation'>;

export const mailboxBulkRoutes = (context: Needs): Route[] => [createMany(context)];

/** Choice 58. */
const MAX_MAILBOXES = 100;

const refused = z.object({ email: z.string(), code: z.string(), error: z.string() });
type Refused = z.infer<typeof refused>;

/** The checks that a single creation fails with 400. */
const entry = z.object({ email: address, password: password.optional() });

const createMany = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/mailboxes/cluster/:clusterId/bulk',
    operationId: 'mailboxes.createMany',
    tag: 'Mailboxes',
    summary: 'Creates up to 100 mailboxes, each on its own.',
    description:
      'A failing entry does not stop the others: it is listed in `failed` with the code that a ' +
      'single creation returns. Passwords are in this answer only.',
    status: 201,
    errors: { 400: ['MAIL_SERVER_NOT_READY'], 404: ['CLUSTER_NOT_FOUND'] },
    repeatable: true,
    params: z.object({ clusterId: pathId }),
    body: z.object({
      mailboxes: z
        .array(z.object({ email: z.string().max(255), password: z.string().max(255).optional() }))
        .min(1)
        .max(MAX_MAILBOXES),
    }),
    response: z.object({ created: z.array(createdMailbox), failed: z.array(refused) }),
    handler: async ({ user, params, body, requestKey }) => {
      const { orders, failed } = sortOut(body.mailboxes);
      const order = { ...params, orders };
      const made = await createMailboxes(context, user.userId, order, requestKey);
      const created = made.created.map((one) => ({
        ...presentMailbox(one.mailbox),
        password: one.password,
      }));
      return { created, failed: [...failed, ...made.failed] };
    },
  });

/** Malformed entries are refused one by one, like those that fail later. */
function sortOut(entries: readonly { email: string; password?: string | undefined }[]) {
  const orders: z.output<typeof entry>[] = [];
  const failed: Refused[] = [];
  for (const one of entries) {
    const read = entry.safeParse(one);
    if (read.success) orders.push(read.data);
    else {
      const { path, message } = read.error.issues[0]!;
      failed.push({
        email: one.email,
        code: 'VALIDATION_ERROR',
        error: `${path.join('.')} ${message}`,
      });
    }
  }
  return { orders, failed };
}
