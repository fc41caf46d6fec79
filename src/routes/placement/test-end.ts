/** What the event of a placement test tells. Choice 124. */
import { z } from 'zod';
import { PLACEMENT_VERDICTS, SEED_PROVIDERS } from '../../domain/placement/placement.ts';
import { timestamp } from '../../http/schemas.ts';

const result = {
  verdict: z.enum(PLACEMENT_VERDICTS),
  inboxPercent: z.int().nullable(),
};

export const placementTestEnd = z.object({
  testId: z.int(),
  campaignId: z.int().nullable().meta({ description: 'Null: it was deleted meanwhile' }),
  mailboxId: z.int(),
  ...result,
  minInboxPercent: z.int(),
  providers: z.array(
    z.object({
      provider: z.enum(SEED_PROVIDERS),
      inbox: z.int(),
      spam: z.int(),
      other: z.int(),
      missing: z.int(),
      failed: z.int(),
      ...result,
    }),
  ),
  campaignHeld: z.boolean().meta({ description: 'It has paused its campaign' }),
  at: timestamp,
});
