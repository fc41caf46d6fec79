/** Who is never written to, and what happened. */
import { z } from 'zod';
import { EVENT_TYPES } from '../../domain/webhooks/events.ts';
import { listOf, pageOf, paging } from '../lists.ts';
import { READS, SETS, tool } from '../tool.ts';
import { twoStep } from '../two-step.ts';

const suppress = tool({
  name: 'suppress',
  title: 'Never write to them again',
  description:
    'Puts addresses or whole domains on the suppression list: no campaign writes to them. What is on it stays as it is.',
  annotations: SETS,
  input: z.strictObject({
    emails: z.array(z.email()).max(500).default([]),
    domains: z.array(z.string()).max(100).default([]).describe('With all domains below them'),
    note: z.string().max(500).optional().describe('Who asked for it'),
  }),
  output: z.object({ created: z.int(), existing: z.int(), suppressedLeads: z.int() }),
  async run({ emails, domains, note }, { outreach }) {
    const entries = [
      ...emails.map((email) => ({ email })),
      ...domains.map((domain) => ({ domain })),
    ];
    const reason = 'manual' as const;
    const body = { entries: entries.map((entry) => ({ ...entry, reason, ...(note && { note }) })) };
    const made = await outreach.suppressions.create({ body });
    return 'created' in made ? made : { ...made, created: 1, existing: 0 };
  },
});

const listEvents = tool({
  name: 'list_events',
  title: 'List what happened',
  description:
    'Lists events, oldest first: answers, bounces, ends of long work. Keep `nextCursor` even where the list is empty, to read on from there later.',
  annotations: READS,
  input: z.strictObject({
    types: z.array(z.enum(EVENT_TYPES)).default([]).describe('Default: all'),
    limit: paging.limit,
    cursor: paging.cursor,
  }),
  output: listOf(
    z.object({
      id: z.string(),
      type: z.string(),
      createdAt: z.string(),
      resource: z.string(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
  async run({ types, limit, cursor }, { outreach }) {
    const asked = { limit, after: cursor, ...(types.length > 0 && { types: types.join(',') }) };
    const page = await outreach.events.list(asked);
    const { nextCursor = null } = page.pagination;
    return { ...pageOf(page, (event) => event), nextCursor };
  },
});

const createWebhook = twoStep({
  name: 'create_webhook',
  title: 'Make a webhook and test it',
  description:
    'Has events of the account posted to a URL of the user, and posts a test to it. Its secret is not shown here: the user rotates it through the API or the web application to get one.',
  needs: 'send',
  input: z.strictObject({ url: z.url(), events: z.array(z.enum(EVENT_TYPES)).min(1) }),
  result: z.object({
    id: z.int(),
    url: z.string(),
    events: z.array(z.string()),
    testDelivered: z.boolean(),
    testError: z.string().nullable(),
  }),
  async quote({ url, events }) {
    const summary = `From now on ${new URL(url).host} is told of ${events.join(', ')}: ids and times, no texts of messages. It costs nothing.`;
    return { summary, amountCents: 0, recipients: 0 };
  },
  async act(body, { outreach }, { idempotencyKey }) {
    const made = await outreach.webhooks.create({ body }, { idempotencyKey });
    const tested = await outreach.webhooks.test({ id: made.id });
    return { ...made, testDelivered: tested.delivered, testError: tested.error };
  },
});

export const newsTools = [suppress, listEvents, createWebhook];
