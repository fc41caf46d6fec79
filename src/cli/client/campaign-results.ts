/** What a campaign would send, and what became of it. */
import { Command, Option } from 'commander';
import { START_STATUSES, type StartStatus } from '../../domain/campaigns/subsequences.ts';
import { positive } from '../arguments.ts';
import type { Io } from '../io.ts';
import { clientCommand, confirm, withYes } from './commands.ts';
import { withClient, withIdempotencyKey, type ClientOptions } from './connection.ts';
import { showList, withListOptions, type ListOptions } from './lists.ts';
import { cut, minute, plainText, show } from './output.ts';

export const resultsCommand = (io: Io): Command =>
  clientCommand('results', 'Counts what was sent and what came back.', {
    examples: ['campaigns results 3', 'campaigns results 3 --json | jq .replyRate'],
  })
    .argument('<id>', 'number of the campaign', positive)
    .action((id: number, options: ClientOptions) =>
      withClient(io, options, async ({ outreach }) => {
        const one = await outreach.campaigns.readAnalytics({ id });
        show(io, options, one, [
          ['Leads', one.leads],
          ['Contacted', one.contacted],
          ['Sent', one.sent],
          ['Replied', `${one.replied} (${one.replyRate} %)`],
          ['Absent', one.autoReplied],
          ['Opened', `${one.opened} (${one.openRate} %)`],
          ['Clicked', `${one.clicked} (${one.clickRate} %)`],
          ['Bounced', `${one.bounced} (${one.bounceRate} %)`],
          ['Refused', one.rejected],
          ['Unsubscribed', `${one.unsubscribed} (${one.unsubscribeRate} %)`],
          ['Complained', one.complained],
          ['Failed', one.failed],
          ['Uncertain', one.uncertain || undefined],
        ]);
      }),
    );

export const leadsCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('leads', 'Says of each lead what became of it, or why it waits.', {
      examples: ['campaigns leads 3 --limit 10'],
    }),
  )
    .argument('<id>', 'number of the campaign', positive)
    .action((id: number, options: ListOptions) =>
      withClient(io, options, ({ outreach }) =>
        showList(io, options, (page) => outreach.campaignLeads.list({ id, ...page }), {
          columns: ['LEAD', 'ADDRESS', 'STATUS', 'STEP', 'NEXT', 'WHY'],
          cells: (one) => [
            one.leadId,
            one.personEmail,
            one.status,
            one.step,
            minute(one.nextSendAt),
            cut(one.explanation, 80),
          ],
          none: 'It has no leads.',
        }),
      ),
    );

export const pendingCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('pending', 'Says who is to enter a campaign by their answers, and when.', {
      examples: ['campaigns pending 3', 'campaigns pending 3 --status cancelled'],
    }),
  )
    .argument('<id>', 'number of the campaign', positive)
    .addOption(
      new Option('--status <status>', 'those instead').choices(START_STATUSES).default('pending'),
    )
    .action((id: number, options: ListOptions & { status: StartStatus }) =>
      withClient(io, options, ({ outreach }) => {
        const { status } = options;
        const list = (page: { limit: number }) =>
          outreach.campaigns.listPendingStarts({ id, status, ...page });
        return showList(io, options, list, {
          columns: ['LEAD', 'ADDRESS', 'INTEREST', 'ENTERS', 'ANSWER', 'CAMPAIGN', 'WHY NOT'],
          cells: (one) => [
            one.leadId,
            one.personEmail,
            one.interest,
            minute(one.startsAt),
            one.answer?.id,
            one.answer?.campaignId,
            one.cancelReason ?? one.holdReason,
          ],
          none: `Nobody is ${status}.`,
        });
      }),
    );

export const previewCommand = (io: Io): Command =>
  clientCommand('preview', 'Shows the messages as a lead would get them.', {
    examples: ['campaigns preview 3 --lead 12'],
  })
    .argument('<id>', 'number of the campaign', positive)
    .option('--lead <id>', 'whose data it shows (default: the first one)', positive)
    .action((id: number, options: ClientOptions & { lead?: number }) =>
      withClient(io, options, async ({ outreach }) => {
        const shown = await outreach.campaigns.preview({ id, body: { leadId: options.lead } });
        if (options.json) return show(io, options, shown, []);
        for (const [at, letter] of shown.letters.entries()) {
          if (at > 0) io.out('');
          const when = at === 0 ? 'First message' : `After ${letter.delayDays} days`;
          show(io, options, letter, [[when, letter.subject]]);
          io.out('');
          io.out(plainText(letter.text).trimEnd());
        }
      }),
    );

interface Test extends ClientOptions {
  lead?: number;
  yes?: boolean;
}

export const testCommand = (io: Io): Command =>
  withYes(
    withIdempotencyKey(
      clientCommand('test', 'Sends a message of a campaign to an address of yours, after a yes.', {
        more: 'It is marked [Test], comes from a mailbox of the campaign, and counts nowhere.',
        examples: ['campaigns test 3 me@example.com'],
      }),
    ),
  )
    .argument('<id>', 'number of the campaign', positive)
    .argument('<address>', 'of yours')
    .option('--lead <id>', 'whose data it shows (default: the first one)', positive)
    .action((id: number, to: string, options: Test) =>
      withClient(io, options, async ({ outreach, once }) => {
        const { lead: leadId } = options;
        const { subject } = await outreach.campaigns.preview({ id, body: { leadId, step: 0 } });
        await confirm(io, `Sends "[Test] ${subject}" to ${to}. It costs nothing.`, options);
        const sent = await once((key) =>
          outreach.campaigns.sendTestEmail({ id, body: { to, leadId } }, key),
        );
        show(io, options, sent, [
          ['From', sent.from],
          ['To', sent.to],
          ['Subject', sent.subject],
          ['Server', sent.reply],
        ]);
      }),
    );
