/** `outreach mailboxes`: addresses at the domain of a cluster, and those that live elsewhere. */
import { Command } from 'commander';
import { positive } from '../../arguments.ts';
import { writing } from '../files.ts';
import { CommandEnd, EXIT, printJson, printTable, type Io } from '../../io.ts';
import { clientCommand, clientGroup } from '../commands.ts';
import { withClient, withIdempotencyKey, type ClientOptions } from '../connection.ts';
import { writePrivate } from '../credentials.ts';
import { connectCommand, importMailboxesCommand } from './connect.ts';
import { showList, withListOptions, type ListOptions } from '../lists.ts';

export const mailboxesCommand = (io: Io): Command =>
  clientGroup('mailboxes', 'Mailboxes, from which messages are sent.', [
    'mailboxes create 7 ada@my-company-mail.com grace@my-company-mail.com',
    'mailboxes import team.csv',
  ])
    .addCommand(createCommand(io))
    .addCommand(connectCommand(io))
    .addCommand(importMailboxesCommand(io))
    .addCommand(listCommand(io));

const createCommand = (io: Io): Command =>
  withIdempotencyKey(
    clientCommand('create', 'Makes mailboxes on an active cluster; it costs nothing.', {
      more: `Passwords are never shown, not with --json either: --passwords writes them to a file that only you can read.
Without it nobody needs them: campaigns and the inbox work through the API.`,
      examples: [
        'mailboxes create 7 ada@my-company-mail.com grace@my-company-mail.com',
        'mailboxes create 7 ada@my-company-mail.com --passwords ada.json',
      ],
    }),
  )
    .argument('<cluster>', 'number of the cluster', positive)
    .argument('<email...>', 'addresses at its domain')
    .option('--passwords <file>', 'write addresses and passwords there, mode 0600')
    .action(
      (clusterId: number, emails: string[], options: ClientOptions & { passwords?: string }) =>
        withClient(io, options, async ({ outreach, once }) => {
          // Before anything is made: a password that cannot be kept would be lost.
          if (options.passwords !== undefined) await writePasswords(options.passwords, []);
          const body = { mailboxes: emails.map((email) => ({ email })) };
          const { created, failed } = await once((key) =>
            outreach.mailboxes.createMany({ clusterId, body }, key),
          );
          if (options.passwords !== undefined) await writePasswords(options.passwords, created);
          const shown = created.map(({ password: _secret, ...mailbox }) => mailbox);
          if (options.json) printJson(io, { created: shown, failed });
          else {
            const rows = [
              ...shown.map(({ id, email, status }) => [id, email, status]),
              ...failed.map(({ email, code, error }) => [null, email, `${code}: ${error}`]),
            ];
            printTable(io, ['ID', 'ADDRESS', 'STATUS'], rows, 'None were made.');
          }
          if (failed.length === 0) return;
          throw new CommandEnd(EXIT.failed, `${failed.length} of ${emails.length} were not made.`);
        }),
    );

async function writePasswords(
  file: string,
  made: readonly { email: string; password: string }[],
): Promise<void> {
  const pairs = made.map(({ email, password }) => ({ email, password }));
  await writing(file, writePrivate(file, `${JSON.stringify(pairs, undefined, 2)}\n`));
}

const listCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('list', 'Lists the mailboxes.', { examples: ['mailboxes list --cluster 7'] }),
  )
    .option('--cluster <id>', 'only those of this cluster', positive)
    .action((options: ListOptions & { cluster?: number }) =>
      withClient(io, options, ({ outreach }) => {
        const { cluster: clusterId } = options;
        const list = (page: { limit: number }) =>
          clusterId === undefined
            ? outreach.mailboxes.list(page)
            : outreach.mailboxes.listOfCluster({ clusterId, ...page });
        return showList(io, options, list, {
          columns: ['ID', 'ADDRESS', 'CLUSTER', 'STATUS', 'SENDER'],
          cells: (one) => [one.id, one.email, one.clusterId, one.status, one.senderName],
          none: 'There are no mailboxes.',
        });
      }),
    );
