/** `outreach mailboxes connect` and `import`: mailboxes that live elsewhere, one or a file of them. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import type {
  MailboxConnection,
  MailboxImport,
  MailboxImportRow,
} from '../../../../clients/typescript/src/index.ts';
import {
  IMAP_PORTS,
  MAIL_PRESET_NAMES,
  SMTP_PORTS,
  type MailPresetName,
} from '../../../domain/mailboxes/mail-servers.ts';
import { OAUTH_PROVIDERS, type OauthProvider } from '../../../domain/mailboxes/oauth.ts';
import { notEmpty, positive } from '../../arguments.ts';
import { CommandEnd, EXIT, printJson, printTable, type Io } from '../../io.ts';
import { clientCommand } from '../commands.ts';
import { withClient, withIdempotencyKey, type Client, type ClientOptions } from '../connection.ts';
import { reading } from '../files.ts';
import { plural, show } from '../output.ts';
import { follow, withTimeout, withWatch, wordsOf, type Progress } from '../waiting.ts';
import { connectByOauth } from './oauth.ts';

interface ConnectOptions extends ClientOptions {
  email: string;
  username?: string;
  preset?: MailPresetName;
  oauth?: OauthProvider;
  smtp?: Server<SmtpPort>;
  imap?: Server<ImapPort>;
  senderName?: string;
  dailyLimit?: number;
  watch?: boolean;
  timeout: number;
}

type Body = Parameters<Client['outreach']['mailboxes']['connect']>[0]['body'];
type SmtpPort = NonNullable<Body['smtp']>['port'];
type ImapPort = NonNullable<Body['imap']>['port'];

interface Server<Port> {
  host: string;
  port: Port;
}

const serverAt =
  <Port extends number>(ports: readonly number[]) =>
  (text: string): Server<Port> => {
    const [, host, given] = /^([^\s:/]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
    const port = given === undefined ? ports[0]! : Number(given);
    if (host !== undefined && ports.includes(port)) return { host, port: port as Port };
    const usual = `mail.acme.com:${ports[0]}, by one of the ports ${ports.join(', ')}`;
    throw new CommandEnd(EXIT.usage, `${text} is no host, such as ${usual}`);
  };

export const connectCommand = (io: Io): Command =>
  withWatch(
    withIdempotencyKey(
      clientCommand('connect', 'Connects a mailbox that lives elsewhere, and proves it.', {
        more: `The password is never an argument, where others could read it: it is typed without being shown, or comes from stdin.
Without a preset name both servers. Ports are 465, 587 and 2525 for SMTP, 993 and 143 for IMAP, always with TLS.
The proof is one message from the mailbox to itself; nobody else gets any.`,
        examples: [
          'mailboxes connect --email ann@acme.com --preset google --watch',
          'mailboxes connect --email ann@acme.com --oauth google',
          'mailboxes connect --email ann@acme.com --smtp smtp.acme.com:587 --imap imap.acme.com < password.txt',
        ],
      }),
    ),
  )
    .requiredOption('--email <address>', 'its address', notEmpty)
    .option('--username <name>', 'where it is not the address', notEmpty)
    .addOption(new Option('--preset <name>', 'knows its servers').choices(MAIL_PRESET_NAMES))
    .addOption(
      new Option('--oauth <vendor>', 'without a password: prints an address to open in a browser')
        .choices(OAUTH_PROVIDERS)
        .conflicts(['username', 'preset', 'smtp', 'imap', 'watch']),
    )
    .option('--smtp <host:port>', 'without a port: 465', serverAt<SmtpPort>(SMTP_PORTS))
    .option('--imap <host:port>', 'without a port: 993', serverAt<ImapPort>(IMAP_PORTS))
    .option('--sender-name <name>', 'in the From of its messages', notEmpty)
    .option('--daily-limit <number>', 'cold messages a day', positive)
    .action((options: ConnectOptions) =>
      withClient(io, options, (client) => {
        const { oauth } = options;
        return oauth === undefined
          ? connect(io, client, options)
          : connectByOauth(io, client, { ...options, oauth });
      }),
    );

async function connect(io: Io, { outreach, once }: Client, options: ConnectOptions): Promise<void> {
  const { email, username, preset, smtp, imap, senderName, dailyLimit } = options;
  const password = await passwordOf(io, email);
  const servers = { username, preset, smtp, imap };
  const body = { email, password, ...servers, senderName, dailyLimit };
  const begun = await once((key) => outreach.mailboxes.connect({ body }, key));
  const { id } = begun;
  const connection = options.watch
    ? await follow(io, () => outreach.mailboxes.readConnection({ id }), proofOf, {
        timeout: options.timeout,
        again: `outreach mailboxes list`,
      })
    : begun;
  show(io, options, connection, [
    ['Mailbox', connection.id],
    ['Address', connection.email],
    ['State', connection.state],
    ['SMTP', `${connection.smtp.host}:${connection.smtp.port}`],
    ['IMAP', `${connection.imap.host}:${connection.imap.port}`],
    ['', connection.state === 'proving' ? connection.message : undefined],
  ]);
}

/** What is typed, or all of stdin but its last line end. */
async function passwordOf(io: Io, email: string): Promise<string> {
  const { input } = io;
  if (!input) throw new CommandEnd(EXIT.usage, 'There is no password: pipe it in.');
  const given = input.isTerminal
    ? await input.ask(`Password of ${email}: `, { isHidden: true })
    : await input.readAll();
  const password = given.replace(/\r?\n$/, '');
  if (password !== '') return password;
  throw new CommandEnd(EXIT.usage, 'The password is empty.');
}

const proofOf = ({ state, message, error }: MailboxConnection): Progress => ({
  lines: [message],
  isDone: state === 'proven',
  failure: state === 'failed' ? wordsOf(error, message) : undefined,
});

const DELIMITERS = ['comma', 'semicolon', 'tab', 'pipe'] as const;

interface ImportOptions extends ClientOptions {
  delimiter?: (typeof DELIMITERS)[number];
  timeout: number;
}

/** Rows that are shown; all of them are in GET /v1/mailboxes/import/:id/rows. */
const MOST_SHOWN_ROWS = 20;

export const importMailboxesCommand = (io: Io): Command =>
  withTimeout(
    withIdempotencyKey(
      clientCommand(
        'import',
        'Connects the mailboxes of a CSV file, and reports each that failed.',
        {
          more: `Columns, by their headers: email, password, and preset or smtpHost, smtpPort, imapHost, imapPort; username,
senderName and dailyLimit where wanted. Each is proven by one message to itself. A file may be given again:
what is connected already is left out.`,
          examples: ['mailboxes import team.csv', 'mailboxes import team.csv --json | jq .counts'],
        },
      ),
    ),
  )
    .argument('<file>', 'at most 10 MB; the first row has the headers')
    .addOption(new Option('--delimiter <name>', 'default: it is found').choices(DELIMITERS))
    .action((file: string, options: ImportOptions) =>
      withClient(io, options, (client) => importFile(io, client, file, options)),
    );

async function importFile(
  io: Io,
  { outreach, once }: Client,
  file: string,
  { delimiter, timeout, json }: ImportOptions,
): Promise<void> {
  const body = new Uint8Array(await reading(file, readFile(file)));
  const input = { fileName: basename(file), delimiter, body };
  const { id } = await once((key) => outreach.mailboxImports.create(input, key));
  const ended = await follow(io, () => outreach.mailboxImports.read({ id }), progressOf, {
    timeout,
    again: `outreach operations list --resource mailbox_import`,
  });
  if (json) printJson(io, ended);
  else {
    report(io, ended);
    const missed: MailboxImportRow[] = [];
    for (const state of ['invalid', 'failed', 'duplicate'] as const) {
      if (ended.counts[state] === 0) continue;
      const found = await outreach.mailboxImports.listRows({ id, state, limit: MOST_SHOWN_ROWS });
      missed.push(...found.items);
    }
    reportMissed(
      io,
      ended,
      missed.toSorted((a, b) => a.row - b.row),
    );
  }
  const { invalid, failed } = ended.counts;
  if (invalid + failed === 0) return;
  throw new CommandEnd(
    EXIT.failed,
    `${plural(invalid + failed, 'mailbox', 'mailboxes')} not connected.`,
  );
}

const progressOf = (one: MailboxImport): Progress => ({
  lines: [`${one.progressPercent} %: ${one.message}`],
  isDone: one.status === 'completed',
  failure: ['failed', 'cancelled'].includes(one.status)
    ? `The import is ${one.status}. ${wordsOf(one.error, one.message)}`
    : undefined,
});

function report(io: Io, { id, totalRows, counts }: MailboxImport): void {
  show(io, {}, counts, [
    ['Import', id],
    ['Rows', totalRows],
    ['Connected', counts.connected],
    ['Already', counts.already_connected || undefined],
    ['Twice', counts.duplicate || undefined],
    ['Not readable', counts.invalid || undefined],
    ['Failed', counts.failed || undefined],
  ]);
}

function reportMissed(
  io: Io,
  { counts }: MailboxImport,
  missed: readonly MailboxImportRow[],
): void {
  if (missed.length === 0) return;
  io.out('');
  const shown = missed.slice(0, MOST_SHOWN_ROWS);
  const rows = shown.map(({ row, email, error }) => [
    row,
    email,
    error?.code ?? null,
    error?.message ?? null,
  ]);
  printTable(io, ['ROW', 'ADDRESS', 'CODE', 'WHY'], rows, '');
  const more = counts.invalid + counts.failed + counts.duplicate - shown.length;
  if (more > 0) io.out(`And ${plural(more, 'more row')}.`);
}
