/** `outreach campaigns create`: a draft of options, of a file with the API's own fields, or of both. */
import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Campaign, Outreach } from '../../../clients/typescript/src/index.ts';
import { zoneOfAccount } from '../../domain/accounts/account-zone.ts';
import { collectNumbers, positive } from '../arguments.ts';
import { reading } from './files.ts';
import { CommandEnd, EXIT, type Io } from '../io.ts';
import { showCampaign } from './campaign-views.ts';
import { clientCommand } from './commands.ts';
import { withClient, withIdempotencyKey, type ClientOptions } from './connection.ts';
import { foundListId } from './lead-views.ts';

type Body = Parameters<Outreach['campaigns']['create']>[0]['body'];
type Day = Campaign['activeDays'][number];

interface FollowUp {
  delayDays: number;
  file: string;
}

interface Options extends ClientOptions {
  fields?: string;
  name?: string;
  subject?: string;
  body?: string;
  mailbox?: number[];
  list?: string;
  listId?: number[];
  followUp?: FollowUp[];
  timezone?: string;
  recipientTimezone?: boolean;
  days?: string[];
  from?: string;
  to?: string;
  newLeads?: number;
}

export const createCommand = (io: Io): Command =>
  withIdempotencyKey(
    clientCommand('create', 'Makes a draft, which sends nothing.', {
      more: `Texts are templates: {{firstName|there}}, {Hi|Hello}. The sender, the postal address and the unsubscribe link are
added to each message. --fields takes any field of POST /v1/campaigns; options go before it.`,
      examples: [
        "campaigns create --name Spring --subject 'A word, {{firstName|there}}?' --body first.txt --mailbox 1 --list Spring --follow-up 3:second.txt",
        'campaigns create --fields campaign.json --mailbox 1',
      ],
    }),
  )
    .option('--name <name>', 'what it is called')
    .option('--subject <template>', 'of the first message')
    .option('--body <file>', 'a file with the text, or HTML, of the first message')
    .option('--mailbox <id>', 'who sends; may be repeated', collectNumbers)
    .option('--list <name>', 'the list that is written to')
    .option('--list-id <id>', 'lists by their number; may be repeated', collectNumbers)
    .option('--follow-up <days:file>', 'to those who have not answered; may be repeated', followUp)
    .option('--timezone <name>', 'such as Europe/Berlin (default: that of the account)')
    .option(
      '--recipient-timezone',
      'days and times are those of each recipient, where theirs are known',
    )
    .option('--days <days>', 'such as mon,tue,wed', (text: string) => text.split(','))
    .option('--from <time>', 'such as 09:00')
    .option('--to <time>', 'such as 17:00')
    .option('--new-leads <n>', 'most first messages a day', positive)
    .option('--fields <file>', 'a JSON file with fields as the API takes them')
    .action(async (options: Options) => {
      const given = await fieldsOf(options);
      await withClient(io, options, async ({ outreach, once }) => {
        const listId = await foundListId(outreach, { ...(options.list && { list: options.list }) });
        const lists = [...(options.listId ?? []), ...(listId === undefined ? [] : [listId])];
        // What is missing the API says, field by field.
        const timezone = given.timezone ?? (await zoneOfAccount(outreach));
        const leadListIds = lists.length > 0 && { leadListIds: lists };
        const body = { ...given, timezone, ...leadListIds } as Body;
        const made = await once((key) => outreach.campaigns.create({ body }, key));
        showCampaign(io, options, made);
        for (const [reason, count] of Object.entries(made.skippedReasons)) {
          if (!options.json) io.err(`${count} are not written to: ${reason}`);
        }
      });
    });

async function fieldsOf(options: Options): Promise<Partial<Body>> {
  const { fields, name, subject, body, mailbox, timezone, days, from, to, newLeads } = options;
  const followUps = options.followUp ?? [];
  const steps = await Promise.all(
    followUps.map(async ({ delayDays, file }, at) => ({
      order: at + 1,
      delayDays,
      bodyTemplate: await textOf(file),
    })),
  );
  const named = {
    name,
    subjectTemplate: subject,
    bodyTemplate: body === undefined ? undefined : await textOf(body),
    assignedMailboxes: mailbox?.map(String),
    timezone,
    useRecipientTimezone: options.recipientTimezone,
    activeDays: days as Day[] | undefined,
    startTime: from,
    endTime: to,
    maxNewLeadsPerDay: newLeads,
    steps: steps.length === 0 ? undefined : steps,
  };
  const isGiven = ([, value]: [string, unknown]) => value !== undefined;
  return {
    ...(fields === undefined ? {} : parsed(await textOf(fields), fields)),
    ...Object.fromEntries(Object.entries(named).filter(isGiven)),
  };
}

const textOf = (file: string): Promise<string> => reading(file, readFile(file, 'utf8'));

function parsed(text: string, file: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  throw new CommandEnd(EXIT.failed, `${file} is no JSON object.`);
}

function followUp(text: string, before: readonly FollowUp[] = []): FollowUp[] {
  const [, days, file] = /^(\d{1,3}):(.+)$/.exec(text) ?? [];
  if (days !== undefined && file !== undefined) {
    return [...before, { delayDays: Number(days), file }];
  }
  throw new InvalidArgumentError('Days and a file, such as 3:second.txt.');
}
