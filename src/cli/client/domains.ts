/** `outreach domains`: names that the account has, and names that can be bought. */
import { Command, Option } from 'commander';
import type { TrackingDomain } from '../../../clients/typescript/src/index.ts';
import { collect, natural, positive } from '../arguments.ts';
import type { Io } from '../io.ts';
import { clientCommand, clientGroup } from './commands.ts';
import { withClient, withIdempotencyKey, type ClientOptions } from './connection.ts';
import { showList, withListOptions, type ListOptions } from './lists.ts';
import { dollars, show, showTable } from './output.ts';
import { wordsOf } from './waiting.ts';

export const domainsCommand = (io: Io): Command =>
  clientGroup('domains', 'Domains of the account, and such that can be bought.', [
    'domains list',
    'domains search acme',
    'domains links',
    'domains link links.acme.com',
  ])
    .addCommand(listCommand(io))
    .addCommand(searchCommand(io))
    .addCommand(linksCommand(io))
    .addCommand(linkCommand(io))
    .addCommand(checkCommand(io));

const STATUSES = ['unverified', 'pending', 'active', 'failed'] as const;

const listCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('list', 'Lists the domains of the account.', { examples: ['domains list'] }),
  )
    .addOption(new Option('--status <status>', 'only those').choices(STATUSES))
    .action((options: ListOptions & { status?: (typeof STATUSES)[number] }) =>
      withClient(io, options, ({ outreach }) =>
        showList(
          io,
          options,
          (page) => outreach.domains.list({ ...page, status: options.status }),
          {
            columns: ['ID', 'DOMAIN', 'STATUS', 'EXPIRES', 'RENEWS', 'ERROR'],
            cells: (one) => [
              one.id,
              one.domain,
              one.status,
              one.expiresAt?.slice(0, 10),
              one.autoRenew,
              one.error && wordsOf(one.error, ''),
            ],
            none: 'There are no domains.',
          },
        ),
      ),
    );

const searchCommand = (io: Io): Command =>
  clientCommand('search', 'Suggests names for a word, or says whether names can be bought.', {
    more: 'Words with a dot are names, and are looked up as they are. It buys nothing; `clusters create` does.',
    examples: ['domains search acme --tld com --tld io', 'domains search acme-mail.com acme.io'],
  })
    .argument('<words...>', 'one word, or names')
    .option('--tld <tld>', 'with a word: only such names; may be repeated', collect)
    .option('--limit <n>', 'with a word: most names', positive, 10)
    .action((words: string[], options: ClientOptions & { tld?: string[]; limit: number }) =>
      withClient(io, options, async ({ outreach }) => {
        const { tld: tlds, limit } = options;
        const keyword = words.join(' ');
        const found = words.some((word) => word.includes('.'))
          ? await outreach.domains.check({ body: { domains: words } })
          : await outreach.domains.suggest({ body: { keyword, tlds, limit } });
        showTable(io, options, found, {
          columns: ['DOMAIN', 'CAN BE BOUGHT', "REGISTRAR'S PRICE"],
          cells: (one) => [
            one.domain,
            one.unknown ? 'unknown' : one.available && !one.restricted,
            dollars(one.priceCents),
          ],
          none: 'Nothing was found.',
        });
      }),
    );

const linksCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('links', 'Lists the names of the account for links in messages.', {
      more: 'A campaign uses one by its trackingDomainId.',
      examples: ['domains links'],
    }),
  ).action((options: ListOptions) =>
    withClient(io, options, ({ outreach }) =>
      showList(io, options, (page) => outreach.trackingDomains.list(page), {
        columns: ['ID', 'NAME', 'STATUS', 'RECORD', 'ERROR'],
        cells: (one) => [
          one.id,
          one.name,
          one.status,
          `CNAME ${one.record.value}`,
          one.error && wordsOf(one.error, ''),
        ],
        none: 'There are no names for links.',
      }),
    ),
  );

const linkCommand = (io: Io): Command =>
  withIdempotencyKey(
    clientCommand('link', 'Adds a name below a domain of yours for links in messages.', {
      more: 'Says which record to set. `domains check` looks for it at once.',
      examples: ['domains link links.acme.com'],
    }),
  )
    .argument('<name>', 'such as links.acme.com')
    .action((name: string, options: ClientOptions) =>
      withClient(io, options, async ({ outreach, once }) => {
        const body = { name };
        showName(io, options, await once((key) => outreach.trackingDomains.create({ body }, key)));
      }),
    );

const checkCommand = (io: Io): Command =>
  withIdempotencyKey(
    clientCommand('check', 'Looks at a name for links now.', { examples: ['domains check 3'] }),
  )
    .argument('<id>', 'of the name, from `domains links`', natural)
    .action((id: number, options: ClientOptions) =>
      withClient(io, options, async ({ outreach, once }) =>
        showName(io, options, await once((key) => outreach.trackingDomains.check({ id }, key))),
      ),
    );

const showName = (io: Io, options: ClientOptions, one: TrackingDomain) =>
  show(io, options, one, [
    ['id', one.id],
    ['name', one.name],
    ['status', one.status],
    ['record', `${one.record.name} CNAME ${one.record.value}`],
    ['waits for', one.error ? wordsOf(one.error, '') : undefined],
    ['certificate until', one.certificateExpiresAt?.slice(0, 10)],
  ]);
