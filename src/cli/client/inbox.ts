/** `outreach inbox`: what comes into the mailboxes, and answers to it. */
import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import type { InboxLetter } from '../../../clients/typescript/src/index.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../domain/inbox/inbox.ts';
import { INTERESTS, type Interest } from '../../domain/inbox/interest/interest.ts';
import { collect, positive } from '../arguments.ts';
import { reading } from './files.ts';
import { CommandEnd, EXIT, printJson, type Io } from '../io.ts';
import { clientCommand, clientGroup, confirm, withYes } from './commands.ts';
import { withClient, withIdempotencyKey, type ClientOptions } from './connection.ts';
import { showList, withListOptions, type ListOptions } from './lists.ts';
import { cut, minute, plainText, show } from './output.ts';

export const inboxCommand = (io: Io): Command =>
  clientGroup('inbox', 'Messages of all mailboxes, and replies.', [
    'inbox list --unread',
    'inbox show 12',
    "inbox reply 12 --text 'Thanks, tomorrow at ten?'",
    'inbox list --scheduled',
  ])
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(replyCommand(io))
    .addCommand(cancelCommand(io));

interface Filters {
  campaign?: number;
  kind?: MessageKind;
  interest?: Interest;
  unread?: boolean;
  sent?: boolean;
  scheduled?: boolean;
  search?: string;
}

const listCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('list', 'Lists messages, the last to arrive first.', {
      examples: [
        'inbox list --unread',
        'inbox list --interest meeting',
        'inbox list --campaign 3 --kind reply --json',
      ],
    }),
  )
    .option('--campaign <id>', 'only those of this campaign', positive)
    .addOption(new Option('--kind <kind>', 'only those').choices(MESSAGE_KINDS))
    .addOption(new Option('--interest <word>', 'only answers that mean this').choices(INTERESTS))
    .option('--unread', 'only those that nobody has read')
    .option('--sent', 'what was sent, in place of what came in')
    .option('--scheduled', 'what waits for its time')
    .option('--search <words>', 'words in subject, text and addresses')
    .action((options: ListOptions & Filters) =>
      withClient(io, options, ({ outreach }) => {
        const { campaign: campaignId, kind, interest, unread, scheduled, search } = options;
        const sent = options.sent || scheduled;
        const direction = sent ? ('outbound' as const) : ('inbound' as const);
        const which = scheduled ? { view: 'scheduled' as const } : { direction };
        const what = { campaignId, kind, interest, search };
        const filters = { ...what, ...which, ...(unread && { isRead: false }) };
        return showList(io, options, (page) => outreach.inbox.list({ ...page, ...filters }), {
          columns: ['ID', 'AT', sent ? 'TO' : 'FROM', 'KIND', 'INTEREST', 'READ', 'SUBJECT'],
          cells: (one) => [
            one.id,
            minute(one.sent_at),
            cut(sent ? one.to : one.from, 40),
            one.kind,
            one.interest,
            one.is_read,
            cut(one.subject, 60),
          ],
          none: 'Nothing.',
        });
      }),
    );

const showCommand = (io: Io): Command =>
  clientCommand('show', 'Shows a message with its text, or the whole conversation.', {
    more: 'It marks nothing as read.',
    examples: ['inbox show 12', 'inbox show 12 --thread'],
  })
    .argument('<id>', 'number of the message', positive)
    .option('--thread', 'all messages of its conversation, oldest first')
    .action((id: number, options: ClientOptions & { thread?: boolean }) =>
      withClient(io, options, async ({ outreach }) => {
        const letter = await outreach.inbox.read({ id });
        if (!options.thread) return showLetter(io, options, letter);
        const letters: InboxLetter[] = [];
        for await (const one of outreach.inbox.readThread({ id: letter.thread_id }))
          letters.push(one);
        if (options.json) return printJson(io, letters);
        for (const [at, one] of letters.entries()) {
          if (at > 0) io.out('');
          showLetter(io, options, one);
        }
      }),
    );

function showLetter(io: Io, options: ClientOptions, letter: InboxLetter): void {
  show(io, options, letter, [
    ['Message', letter.id],
    ['From', letter.from_name ? `${letter.from_name} <${letter.from}>` : letter.from],
    ['To', letter.to],
    ['Cc', letter.cc.join(', ') || undefined],
    ['At', minute(letter.sent_at)],
    ['Kind', letter.kind],
    ['Interest', interestOf(letter)],
    ['Campaign', letter.campaign?.name],
    ['Subject', letter.subject],
    ['Files', letter.attachments.map(({ filename }) => filename).join(', ') || undefined],
    ['Delivery', letter.delivery ? deliveryOf(letter.delivery) : undefined],
    ['Leaves', letter.delivery?.send_at && minute(letter.delivery.send_at)],
  ]);
  if (options.json) return;
  io.out('');
  io.out(plainText(letter.text).trimEnd());
}

/** What the answer means, and who says so. */
const interestOf = ({ interest, interest_by: by }: InboxLetter): string | undefined =>
  interest === null ? undefined : by === null ? interest : `${interest}, by ${WHO[by]}`;

const WHO = { rules: 'the rules', model: 'a language model', client: 'a correction' } as const;

const deliveryOf = ({ state, failure }: { state: string; failure: string | null }): string =>
  failure === null ? state : `${state}: ${failure}`;

interface Reply extends ClientOptions {
  text?: string;
  textFile?: string;
  cc?: string[];
  at?: string;
  cancelOnReply?: boolean;
  yes?: boolean;
}

const replyCommand = (io: Io): Command =>
  withYes(
    withIdempotencyKey(
      clientCommand('reply', 'Answers a message from the mailbox that it came to, after a yes.', {
        examples: [
          "inbox reply 12 --text 'Thanks, tomorrow at ten?'",
          'inbox reply 12 --text-file answer.txt --yes',
          "inbox reply 12 --text 'Any news?' --at 2027-03-01T09:00:00+01:00 --cancel-on-reply",
        ],
      }),
    ),
  )
    .argument('<id>', 'number of the message', positive)
    .option('--text <text>', 'what is answered')
    .option('--text-file <file>', 'a file with it; - is stdin')
    .option('--cc <address>', 'who gets it, too; may be repeated', collect)
    .option(
      '--at <time>',
      'when it leaves, with an offset: 2027-03-01T09:00:00+01:00 (default: now)',
    )
    .option('--cancel-on-reply', 'with --at: not where they write first')
    .action(async (id: number, options: Reply) => {
      const body = await textOf(io, options);
      await withClient(io, options, async ({ outreach, once }) => {
        const { cc = [], at: sendAt, cancelOnReply } = options;
        const message = await outreach.inbox.read({ id });
        const all = [message.reply_to ?? message.from, ...cc].join(', ');
        const when = sendAt === undefined ? '' : ` at ${sendAt}`;
        const what = `Replies to ${all} from ${message.mailbox}${when}, about "${message.subject}":\n${body}`;
        await confirm(io, what, options);
        const reply = { body, ...(cc.length > 0 && { cc }), sendAt, cancelOnReply };
        const sent = await once((key) => outreach.inbox.reply({ id, body: reply }, key));
        showLetter(io, options, sent);
      });
    });

const cancelCommand = (io: Io): Command =>
  clientCommand('cancel', 'Takes back a message that waits for its time.', {
    examples: ['inbox cancel 31'],
  })
    .argument('<id>', 'number of the message: inbox list --scheduled', positive)
    .action((id: number, options: ClientOptions) =>
      withClient(io, options, async ({ outreach }) =>
        showLetter(io, options, await outreach.inbox.cancel({ id })),
      ),
    );

async function textOf(io: Io, { text, textFile: file }: Reply): Promise<string> {
  if ((text === undefined) === (file === undefined)) {
    throw new CommandEnd(EXIT.usage, 'Give the text by --text or by --text-file.');
  }
  if (text !== undefined) return text;
  if (file === '-' && io.input) return io.input.readAll();
  return reading(file!, readFile(file!, 'utf8'));
}
