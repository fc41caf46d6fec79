/** Which campaigns there are, and what became of them, in numbers and lead by lead. */
import { z } from 'zod';
import type { Outreach } from '../../../clients/typescript/src/index.ts';
import { byNumber, listOf, onlyRow, pageOf, paging } from '../lists.ts';
import { READS, tool } from '../tool.ts';
import { campaignOf, campaignSchema } from './campaigns.ts';

const rates = ['replyRate', 'bounceRate', 'openRate', 'clickRate', 'unsubscribeRate'] as const;
const counts = [
  'leads',
  'contacted',
  'sent',
  'failed',
  'uncertain',
  'opened',
  'clicked',
  'replied',
  'autoReplied',
  'bounced',
  'rejected',
  'unsubscribed',
  'complained',
] as const;

const numbersOf = <Name extends string>(names: readonly Name[]) =>
  z.object(
    Object.fromEntries(names.map((name) => [name, z.number()])) as Record<Name, z.ZodNumber>,
  );

const MOST_MAILBOXES = 20;

const resultsSchema = z.object({
  windowOpen: z.boolean().describe('It may send at this time of day, at least to somebody'),
  nextSendAt: z.string().nullable(),
  waiting: z.int().describe('Leads who have not had the first message yet'),
  counts: numbersOf(counts),
  rates: numbersOf(rates),
  mailboxes: z.array(
    z.object({
      mailboxId: z.int(),
      email: z.string(),
      sentLastDay: z.int(),
      dailyLimit: z.int(),
      holdReason: z.string().nullable(),
      failingReason: z.string().nullable(),
    }),
  ),
});

const listCampaigns = tool({
  name: 'list_campaigns',
  title: 'List campaigns, or read one and its results',
  description:
    'Lists the campaigns, newest first, with their most important counts. With `id` that one alone, and its `results`: all that was sent and came back (rates are per cent), what it does now and waits for.',
  annotations: READS,
  input: z.strictObject({
    id: z.int().optional(),
    status: z.enum(['draft', 'active', 'paused', 'completed', 'cancelled']).optional(),
    search: z.string().optional(),
    ...paging,
  }),
  output: listOf(campaignSchema.extend({ results: resultsSchema.optional() })),
  async run({ id, status, search, ...input }, { outreach }) {
    const { campaigns } = outreach;
    if (id === undefined)
      return pageOf(await campaigns.list({ ...byNumber(input), status, search }), campaignOf);
    const campaign = campaignOf(await campaigns.read({ id }));
    return onlyRow({ ...campaign, results: await resultsOf(outreach, id) });
  },
});

async function resultsOf({ campaigns }: Outreach, id: number) {
  const numbers = await campaigns.readAnalytics({ id });
  const sending = await campaigns.readSendingStatus({ id });
  const mailboxes = sending.mailboxes.slice(0, MOST_MAILBOXES);
  return { ...sending, mailboxes, counts: numbers, rates: numbers };
}

const listCampaignLeads = tool({
  name: 'list_campaign_leads',
  title: 'List the leads of a campaign',
  description: 'Says of each lead what became of it, when it is written to next, or why not.',
  annotations: READS,
  input: z.strictObject({ id: z.int(), ...paging }),
  output: listOf(
    z.object({
      leadId: z.int(),
      personFirstName: z.string(),
      personLastName: z.string(),
      personEmail: z.string().nullable(),
      status: z.string(),
      step: z.int(),
      nextSendAt: z.string().nullable(),
      holdReason: z.string().nullable(),
      explanation: z.string(),
    }),
  ),
  run: async (input, { outreach }) =>
    pageOf(await outreach.campaignLeads.list(input), (lead) => lead),
});

export const resultTools = [listCampaigns, listCampaignLeads];
