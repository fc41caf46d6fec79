/** What sends mail of a campaign. */
import { z } from 'zod';
import type { Campaign, Outreach } from '../../../clients/typescript/src/index.ts';
import { timesInWords } from '../../domain/campaigns/send-times.ts';
import { startsInWords } from '../../domain/campaigns/subsequences.ts';
import { cut } from '../lists.ts';
import { ToolRefusal } from '../refusal.ts';
import { twoStep } from '../two-step.ts';

const startCampaign = twoStep({
  name: 'start_campaign',
  title: 'Start or resume a campaign',
  description:
    'Begins to write to the leads of a draft, goes on with a paused campaign, or writes to new leads of a completed one. A campaign with `startsOn` also writes to everybody whose answer to another one fits from then on.',
  needs: 'send',
  input: z.strictObject({ id: z.int() }),
  result: z.object({
    id: z.int(),
    status: z.string(),
    leads: z.int(),
    skipped: z.record(z.string(), z.int()).describe('People who cannot be written to, by reason'),
  }),
  async quote({ id }, { outreach }) {
    const campaign = await outreach.campaigns.read({ id });
    const { ready, problems, warnings, leads, mailboxes, addresses } =
      await outreach.campaigns.readPreflight({ id });
    if (!ready) throw unready(problems);
    const { startsOn } = campaign;
    const { pendingStarts } = campaign.stats;
    const summary = [
      `"${campaign.name}" writes to ${leads} people (${addresses.held} of them are held back), ${messagesOf(campaign)}, from ${mailboxes} mailboxes,`,
      `${timesInWords(campaign)}. It costs nothing.`,
      `People who are added to its lists before the start are written to as well.`,
      ...(startsOn ? [startsInWords(startsOn, pendingStarts)] : []),
      `The first message: ${await firstMessageOf(outreach, id)}`,
      ...warnings.map(({ message }) => `Warning: ${message}.`),
    ].join(' ');
    const { subjectTemplate, bodyTemplate, steps, variants } = campaign;
    // A repeat has to be the same request, whatever has become of the campaign meanwhile.
    const action = campaign.status === 'paused' ? 'resume' : 'start';
    return {
      summary,
      amountCents: 0,
      recipients: leads + pendingStarts,
      terms: { action, mailboxes, subjectTemplate, bodyTemplate, steps, variants, startsOn },
    };
  },
  async act({ id }, { outreach }, { idempotencyKey, terms }) {
    if (terms['action'] === 'resume') {
      const resumed = await outreach.campaigns.resume({ id }, { idempotencyKey });
      return { ...resumed, leads: resumed.stats.leads, skipped: {} };
    }
    const started = await outreach.campaigns.start({ id }, { idempotencyKey });
    return { ...started, leads: started.stats.leads, skipped: { ...started.skippedReasons } };
  },
});

const unready = (problems: readonly { field: string; message: string }[]): ToolRefusal =>
  new ToolRefusal('The campaign lacks something', {
    code: 'CAMPAIGN_NOT_READY',
    next: 'The details say what: update_account, update_campaign or import_leads adds it.',
    details: problems,
  });

const messagesOf = ({ maxFollowups }: Campaign): string =>
  maxFollowups === 0 ? 'one message each' : `one message and up to ${maxFollowups} follow-ups each`;

async function firstMessageOf(outreach: Outreach, id: number): Promise<string> {
  const { subject, text } = await outreach.campaigns.preview({ id, body: { step: 0 } });
  return `"${subject}": ${cut(text, 400)}`;
}

const sendTestEmail = twoStep({
  name: 'send_test_email',
  title: 'Send a message of a campaign to yourself',
  description: 'Sends one message, marked [Test], from a mailbox of the campaign; counts nowhere.',
  needs: 'send',
  input: z.strictObject({
    campaignId: z.int(),
    to: z.email().describe('An address of the user'),
    step: z.int().min(0).default(0).describe('0 is the first message'),
    leadId: z.int().optional().describe('Whose data it shows'),
  }),
  result: z.object({ from: z.string(), to: z.string(), subject: z.string(), reply: z.string() }),
  async quote({ campaignId: id, to, step, leadId }, { outreach }) {
    const { subject, text } = await outreach.campaigns.preview({ id, body: { step, leadId } });
    const summary = `Sends one message to ${to}. It costs nothing. "[Test] ${subject}": ${cut(text, 400)}`;
    return { summary, amountCents: 0, recipients: 1, terms: { subject, text } };
  },
  act: ({ campaignId: id, ...body }, { outreach }, { idempotencyKey }) =>
    outreach.campaigns.sendTestEmail({ id, body }, { idempotencyKey }),
});

export const sendingTools = [startCampaign, sendTestEmail];
