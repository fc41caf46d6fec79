/** Wire shapes of placement tests. Choice 124. */
import { z } from 'zod';
import { MAX_FOLLOWUPS } from '../../domain/campaigns/follow-ups.ts';
import {
  MAX_SEEDS,
  MIN_INBOX_PERCENT,
  PLACEMENT_MESSAGE_STATES,
  PLACEMENT_OUTCOMES,
  PLACEMENT_TEST_STATUSES,
  PLACEMENT_VERDICTS,
  SEED_PROVIDERS,
} from '../../domain/placement/placement.ts';
import { summariesByProvider, summaryOf } from '../../domain/placement/verdict.ts';
import { bodyId, timestamp } from '../../http/schemas.ts';
import type { PlacementTestView } from '../../services/placement/placement-tests.ts';
import { MAX_VARIANTS } from '../campaigns/campaign-order.ts';

export const placementTestOrder = z.object({
  campaignId: bodyId,
  step: z.int().min(0).max(MAX_FOLLOWUPS).default(0).describe('0 is the first message.'),
  variant: z
    .int()
    .min(0)
    .max(MAX_VARIANTS)
    .optional()
    .describe('0 is the own text of the step. Default: the one that the lead would get.'),
  leadId: bodyId
    .optional()
    .describe('Whose fields it has. Default: the campaign’s first lead, else a made-up person.'),
  mailboxId: bodyId
    .optional()
    .describe('Sends it. Default: the mailbox of the campaign that was tested longest ago.'),
  seedIds: z
    .array(bodyId)
    .min(1)
    .max(MAX_SEEDS)
    .transform((ids) => [...new Set(ids)])
    .optional()
    .describe('Default: all seeds of the account.'),
  minInboxPercent: z
    .int()
    .min(1)
    .max(100)
    .default(MIN_INBOX_PERCENT)
    .describe('The verdict is `bad` when fewer land in the inbox.'),
  holdOnBadPlacement: z
    .boolean()
    .default(false)
    .describe('A bad verdict pauses the campaign, with `pauseReason: bad_placement`.'),
});

const summary = {
  inbox: z.int(),
  spam: z.int(),
  other: z.int().describe('In another folder, as where somebody sorts; counts neither way.'),
  missing: z.int().describe('In no folder in time.'),
  failed: z.int().describe('Nothing is known of it; counts neither way.'),
  waiting: z.int().describe('Still sent, or looked for.'),
  inboxPercent: z.int().nullable().describe('Of `inbox`, `spam` and `missing`, rounded down.'),
};

export const placementTest = z
  .object({
    id: z.int(),
    campaignId: z.int().nullable().describe('Null: it was deleted.'),
    mailboxId: z.int(),
    mailboxEmail: z.string(),
    step: z.int(),
    variant: z.int().nullable(),
    leadId: z.int().nullable(),
    minInboxPercent: z.int(),
    holdOnBadPlacement: z.boolean(),
    status: z.enum(PLACEMENT_TEST_STATUSES),
    verdict: z.enum(PLACEMENT_VERDICTS).nullable().describe('Null until it is completed.'),
    ...summary,
    campaignHeld: z.boolean().describe('It has paused its campaign.'),
    providers: z.array(
      z.object({
        provider: z.enum(SEED_PROVIDERS),
        verdict: z.enum(PLACEMENT_VERDICTS).nullable(),
        ...summary,
      }),
    ),
    seeds: z.array(
      z.object({
        seedId: z.int().nullable().describe('Null: it was deleted.'),
        address: z.string(),
        provider: z.enum(SEED_PROVIDERS),
        state: z.enum(PLACEMENT_MESSAGE_STATES).describe('Of the message to it.'),
        outcome: z.enum(PLACEMENT_OUTCOMES).nullable().describe('Null: not known yet.'),
        folder: z.string().nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
        sentAt: timestamp.nullable(),
        decidedAt: timestamp.nullable(),
      }),
    ),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'PlacementTest' });

export function presentPlacementTest(view: PlacementTestView): z.input<typeof placementTest> {
  const { test, messages } = view;
  const { min_inbox_percent: minInboxPercent, verdict } = test;
  const { verdict: _verdict, ...counts } = summaryOf(messages, minInboxPercent);
  const providers = summariesByProvider(messages, minInboxPercent);
  return {
    id: test.id,
    campaignId: test.campaign_id,
    mailboxId: test.mailbox_id,
    mailboxEmail: view.mailboxEmail,
    step: test.step,
    variant: test.variant,
    leadId: test.lead_id,
    minInboxPercent,
    holdOnBadPlacement: test.holds_campaign,
    status: test.status,
    verdict,
    ...counts,
    campaignHeld: test.campaign_held,
    providers: providers.map((each) => ({ ...each, verdict: verdict && each.verdict })),
    seeds: messages.map((message) => ({
      seedId: message.seed_id,
      address: message.address,
      provider: message.provider,
      state: message.state,
      outcome: message.outcome,
      folder: message.folder,
      error: errorOf(message),
      sentAt: message.sent_at?.toISOString() ?? null,
      decidedAt: message.decided_at?.toISOString() ?? null,
    })),
    error: errorOf(test),
    createdAt: test.created_at.toISOString(),
    updatedAt: test.updated_at.toISOString(),
    finishedAt: test.finished_at?.toISOString() ?? null,
  };
}

const errorOf = (row: { error_code: string | null; error_message: string | null }) =>
  row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' };
