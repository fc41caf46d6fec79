/** Mailboxes of a cluster, and the warm-up that earns them their reputation. */
import { z } from 'zod';
import { byNumber, listOf, pageOf, paging } from '../lists.ts';
import { READS, tool, WRITES } from '../tool.ts';
import { twoStep } from '../two-step.ts';

const createMailboxes = tool({
  name: 'create_mailboxes',
  title: 'Make mailboxes',
  description:
    'Makes mailboxes on an active cluster; costs nothing. Their passwords are made and not shown: who needs one reads it through the API.',
  annotations: WRITES,
  input: z.strictObject({
    clusterId: z.int(),
    emails: z.array(z.email()).min(1).max(20).describe('Addresses at the domain of the cluster'),
  }),
  output: z.object({
    created: z.array(
      z.object({ id: z.int(), email: z.string(), status: z.string(), isActive: z.boolean() }),
    ),
    failed: z.array(z.object({ email: z.string(), code: z.string(), error: z.string() })),
  }),
  run: ({ clusterId, emails }, { outreach }) =>
    outreach.mailboxes.createMany({
      clusterId,
      body: { mailboxes: emails.map((email) => ({ email })) },
    }),
});

const warmupSchema = z.object({
  mailboxId: z.int(),
  email: z.string(),
  warmup: z.string().describe('inactive, warming, active, paused, throttled or quarantined'),
  health: z.string(),
  day: z.int(),
  sentToday: z.int(),
  coldAllowance: z.int().describe('Messages of campaigns that it may send a day'),
});

const listMailboxes = tool({
  name: 'list_mailboxes',
  title: 'List mailboxes',
  description: 'Lists the mailboxes with the state of their warm-up and what they may send a day.',
  annotations: READS,
  input: z.strictObject({ ...paging }),
  output: listOf(warmupSchema),
  run: async (input, { outreach }) =>
    pageOf(await outreach.warmup.list(byNumber(input)), (one) => ({ ...one, warmup: one.status })),
});

const startWarmup = twoStep({
  name: 'start_warmup',
  title: 'Start or resume warm-up',
  description:
    'Lets mailboxes exchange mail with each other, a little more each day. control_job pauses it.',
  needs: 'send',
  input: z.strictObject({
    mailboxIds: z.array(z.int()).min(1).max(50),
    action: z.enum(['start', 'resume']).default('start'),
  }),
  result: z.object({
    mailboxes: z.array(
      z.object({
        mailboxId: z.int(),
        ok: z.boolean(),
        status: z.string().nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  }),
  async quote({ mailboxIds }, { outreach }) {
    const each = await Promise.all(mailboxIds.map((id) => outreach.warmup.read({ id })));
    const sum = (field: 'startVolume' | 'maxVolume') =>
      each.reduce((total, { settings }) => total + settings[field], 0);
    const names = each.map(({ email }) => email).join(', ');
    const summary = `${names} will send warm-up mail, only to other mailboxes that take part: about ${sum('startVolume')} messages a day at first, at most ${sum('maxVolume')}. It costs nothing.`;
    return { summary, amountCents: 0, recipients: 0 };
  },
  async act(body, { outreach }, { idempotencyKey }) {
    return { mailboxes: await outreach.warmup.actOnMany({ body }, { idempotencyKey }) };
  },
});

export const mailboxTools = [createMailboxes, listMailboxes, startWarmup];
