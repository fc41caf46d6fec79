/** `outreach campaigns`: drafts, their start, and what becomes of them. */
import { Command, Option } from 'commander';
import type { Outreach } from '../../../clients/typescript/src/index.ts';
import { timesInWords } from '../../domain/campaigns/send-times.ts';
import { startsInWords } from '../../domain/campaigns/subsequences.ts';
import { positive } from '../arguments.ts';
import { CommandEnd, EXIT, type Io } from '../io.ts';
import { createCommand } from './campaign-draft.ts';
import {
  leadsCommand,
  pendingCommand,
  previewCommand,
  resultsCommand,
  testCommand,
} from './campaign-results.ts';
import { campaignTable, messagesOf, showCampaign } from './campaign-views.ts';
import { clientCommand, clientGroup, confirm, withYes } from './commands.ts';
import { withClient, withIdempotencyKey, type ClientOptions } from './connection.ts';
import { showList, withListOptions, type ListOptions } from './lists.ts';
import { cut } from './output.ts';

export const campaignsCommand = (io: Io): Command =>
  clientGroup('campaigns', 'Campaigns: messages to the leads of lists, and follow-ups.', [
    'campaigns create --fields campaign.json',
    'campaigns start 3',
    'campaigns results 3',
  ])
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(previewCommand(io))
    .addCommand(testCommand(io))
    .addCommand(startCommand(io, 'start'))
    .addCommand(pauseCommand(io))
    .addCommand(startCommand(io, 'resume'))
    .addCommand(resultsCommand(io))
    .addCommand(leadsCommand(io))
    .addCommand(pendingCommand(io));

const STATUSES = ['draft', 'active', 'paused', 'completed', 'cancelled'] as const;

interface Filters {
  status?: (typeof STATUSES)[number];
  search?: string;
}

const listCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('list', 'Lists the campaigns, newest first.', {
      examples: ['campaigns list --status active'],
    }),
  )
    .addOption(new Option('--status <status>', 'only those').choices(STATUSES))
    .option('--search <text>', 'a part of the name')
    .action((options: ListOptions & Filters) =>
      withClient(io, options, ({ outreach }) => {
        const { status, search } = options;
        const list = (page: { limit: number }) =>
          outreach.campaigns.list({ ...page, status, search });
        return showList(io, options, list, campaignTable);
      }),
    );

const campaignCommand = (name: string, description: string): Command =>
  clientCommand(name, description, { examples: [`campaigns ${name} 3`] }).argument(
    '<id>',
    'number of the campaign',
    positive,
  );

const showCommand = (io: Io): Command =>
  campaignCommand('show', 'Shows a campaign.').action((id: number, options: ClientOptions) =>
    withClient(io, options, async ({ outreach }) =>
      showCampaign(io, options, await outreach.campaigns.read({ id })),
    ),
  );

const pauseCommand = (io: Io): Command =>
  withIdempotencyKey(campaignCommand('pause', 'Pauses a campaign between two messages.')).action(
    (id: number, options: ClientOptions) =>
      withClient(io, options, async ({ outreach, once }) =>
        showCampaign(io, options, await once((key) => outreach.campaigns.pause({ id }, key))),
      ),
  );

const WHAT = {
  start:
    'Begins to write to the leads of a draft, after a yes; also to new ones of a completed one.',
  resume: 'Goes on with a paused campaign, after a yes.',
} as const;

const startCommand = (io: Io, action: keyof typeof WHAT): Command =>
  withYes(withIdempotencyKey(campaignCommand(action, WHAT[action]))).action(
    (id: number, options: ClientOptions & { yes?: boolean }) =>
      withClient(io, options, async ({ outreach, once, url }) => {
        await confirm(io, `At ${url}:\n${await planOf(outreach, id)}`, options);
        const begun = await once((key) =>
          action === 'start'
            ? outreach.campaigns.start({ id }, key)
            : outreach.campaigns.resume({ id }, key),
        );
        showCampaign(io, options, begun);
      }),
  );

/** What would be sent; ends the command where something is missing. */
async function planOf(outreach: Outreach, id: number): Promise<string> {
  const campaign = await outreach.campaigns.read({ id });
  const { ready, problems, warnings, leads, mailboxes, addresses } =
    await outreach.campaigns.readPreflight({ id });
  if (!ready) {
    const lacks = problems.map(({ field, message }) => `\n  ${field}: ${message}`).join('');
    throw new CommandEnd(EXIT.failed, `CAMPAIGN_NOT_READY: the campaign lacks something${lacks}`);
  }
  const { subject, text } = await outreach.campaigns.preview({ id, body: { step: 0 } });
  const { startsOn, stats } = campaign;
  return [
    `"${campaign.name}" writes to ${leads} people (${addresses.held} of them are held back), ${messagesOf(campaign)}, from ${mailboxes} mailboxes,`,
    `${timesInWords(campaign)}. It costs nothing.`,
    ...(startsOn ? [startsInWords(startsOn, stats.pendingStarts)] : []),
    `The first message: "${subject}"`,
    ...cut(text.trim(), 600)
      .split('\n')
      .map((line) => `  ${line}`),
    ...warnings.map(({ message }) => `Warning: ${message}`),
  ].join('\n');
}
