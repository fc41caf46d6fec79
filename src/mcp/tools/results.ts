/** What became of a campaign, in numbers and lead by lead. */
import { z } from 'zod';
import { listOf, pageOf, paging } from '../lists.ts';
import { READS, tool } from '../tool.ts';

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

const campaignResults = tool({
  name: 'campaign_results',
  title: 'Read the results of a campaign',
  description:
    'Counts what was sent and what came back (rates are per cent), and says what the campaign does now and waits for.',
  annotations: READS,
  input: z.strictObject({ id: z.int() }),
  output: z.object({
    status: z.string(),
    pauseReason: z.string().nullable(),
    warning: z.string().nullable(),
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
  }),
  async run({ id }, { outreach }) {
    const results = await outreach.campaigns.readAnalytics({ id });
    const sending = await outreach.campaigns.readSendingStatus({ id });
    const mailboxes = sending.mailboxes.slice(0, MOST_MAILBOXES);
    return { ...sending, mailboxes, counts: results, rates: results };
  },
});

const MOST_MAILBOXES = 20;

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

export const resultTools = [campaignResults, listCampaignLeads];
