/** Placement tests: whether a campaign's messages land in the inbox. */
import { z } from 'zod';
import { cut } from '../lists.ts';
import { twoStep } from '../two-step.ts';

const startPlacementTest = twoStep({
  name: 'start_placement_test',
  title: 'Test where a message of a campaign lands',
  description:
    'Sends it to the seed mailboxes of the account and looks where it landed, by provider, within ten minutes. ' +
    'wait_for tells the verdict. Uses up no lead.',
  needs: 'send',
  input: z.strictObject({
    campaignId: z.int(),
    step: z.int().min(0).default(0).describe('0 is the first message'),
    holdOnBadPlacement: z.boolean().default(false).describe('A bad verdict pauses the campaign'),
  }),
  result: z.object({ id: z.int(), status: z.string(), from: z.string(), seeds: z.int() }),
  async quote({ campaignId: id, step, holdOnBadPlacement }, { outreach }) {
    const { name } = await outreach.campaigns.read({ id });
    const { subject, text } = await outreach.campaigns.preview({ id, body: { step } });
    const { pagination } = await outreach.placementSeeds.list({ limit: 1 });
    const seeds = pagination.total ?? 0;
    const hold = holdOnBadPlacement ? ' A bad verdict pauses the campaign.' : '';
    const summary = `Sends message ${step} of "${name}" to ${seeds} seed mailboxes of the account.${hold} It costs nothing. "${subject}": ${cut(text, 400)}`;
    return { summary, amountCents: 0, recipients: seeds, terms: { subject, text } };
  },
  async act(body, { outreach }, { idempotencyKey }) {
    const test = await outreach.placementTests.create({ body }, { idempotencyKey });
    return { ...test, from: test.mailboxEmail, seeds: test.seeds.length };
  },
});

export const placementTools = [startPlacementTest];
