/** Wire shapes of the rule by which leads enter a campaign by their answers. Choice 116. */
import { z } from 'zod';
import { INTERESTS } from '../../domain/inbox/interest/interest.ts';
import { bodyId } from '../../http/schemas.ts';

/** In requests. */
export const startsOn = z
  .object({
    campaignId: bodyId
      .nullable()
      .default(null)
      .describe('Answers to this campaign; null, the default: to any other one of the account.'),
    interest: z
      .array(z.enum(INTERESTS))
      .min(1)
      .max(INTERESTS.length)
      .transform((interests) => [...new Set(interests)]),
    afterDays: z.int().min(0).max(365).describe('Days of sending after the answer has come.'),
  })
  .nullable()
  .describe(
    'Makes it a subsequence: a lead whose answer to another campaign means one of `interest` enters it by itself, ' +
      'once, and is written to from the mailbox and in the thread of the answer where that mailbox is one of ' +
      '`assignedMailboxes`. A correction before then moves or cancels it. Null: leads enter by hand alone.',
  );

/** In answers. */
export const shownStart = z
  .object({
    campaignId: z.int().nullable(),
    interest: z.array(z.enum(INTERESTS)),
    afterDays: z.int(),
  })
  .nullable()
  .describe('When leads enter it by their answers.');
