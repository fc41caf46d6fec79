/** `outreach placement`: where a campaign's messages land, by seed mailboxes of the account. */
import type { Command } from 'commander';
import type { Outreach, PlacementTest } from '../../../clients/typescript/src/index.ts';
import { collectNumbers, natural, positive } from '../arguments.ts';
import type { Io } from '../io.ts';
import { clientCommand, clientGroup, confirm, withYes } from './commands.ts';
import { withClient, withIdempotencyKey, type ClientOptions } from './connection.ts';
import { showList, withListOptions, type ListOptions } from './lists.ts';
import { minute, plural, show, showTable } from './output.ts';
import { follow, withTimeout, withWatch, wordsOf, type Progress } from './waiting.ts';

export const placementCommand = (io: Io): Command =>
  clientGroup('placement', 'Placement tests: whether messages land in the inbox or in spam.', [
    'placement seeds',
    'placement test 3 --watch',
    'placement show 5',
  ])
    .addCommand(seedsCommand(io))
    .addCommand(testCommand(io))
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(watchCommand(io))
    .addCommand(cancelCommand(io));

const seedsCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('seeds', 'Lists the seed mailboxes, in which tests look.', {
      more: 'POST /v1/placement/seeds adds one, with its password.',
      examples: ['placement seeds'],
    }),
  ).action((options: ListOptions) =>
    withClient(io, options, ({ outreach }) =>
      showList(io, options, (page) => outreach.placementSeeds.list(page), {
        columns: ['ID', 'ADDRESS', 'PROVIDER', 'STATUS', 'ERROR'],
        cells: (one) => [one.id, one.address, one.provider, one.status, wordsOf(one.error, '')],
        none: 'There are no seed mailboxes.',
      }),
    ),
  );

interface TestOptions extends ClientOptions {
  step: number;
  seed?: number[];
  mailbox?: number;
  least?: number;
  hold?: boolean;
  watch?: boolean;
  timeout: number;
  yes?: boolean;
}

const testCommand = (io: Io): Command =>
  withWatch(
    withYes(
      withIdempotencyKey(
        clientCommand('test', 'Sends a message of a campaign to the seed mailboxes, after a yes.', {
          more: 'No lead is used up. Each message counts toward the daily limit of its mailbox.',
          examples: ['placement test 3 --watch', 'placement test 3 --step 1 --hold --yes'],
        }),
      ),
    ),
  )
    .argument('<campaign>', 'number of the campaign', positive)
    .option('--step <n>', '0 is the first message', natural, 0)
    .option('--seed <id>', 'only these; may be repeated', collectNumbers)
    .option('--mailbox <id>', 'who sends (default: who was tested longest ago)', positive)
    .option('--least <percent>', 'bad when fewer land in the inbox (default: 80)', positive)
    .option('--hold', 'a bad verdict pauses the campaign')
    .action((campaignId: number, options: TestOptions) =>
      withClient(io, options, async ({ outreach, once, url }) => {
        const { step, seed: seedIds, mailbox: mailboxId, least: minInboxPercent, hold } = options;
        const { name } = await outreach.campaigns.read({ id: campaignId });
        const who = await seedsInWords(outreach, seedIds);
        const held = hold ? ' A bad verdict pauses the campaign.' : '';
        const what = `At ${url}: sends message ${step} of "${name}" to ${who}. It costs nothing.${held}`;
        await confirm(io, what, options);
        const body = {
          campaignId,
          step,
          seedIds,
          mailboxId,
          minInboxPercent,
          holdOnBadPlacement: hold,
        };
        const made = await once((key) => outreach.placementTests.create({ body }, key));
        if (!options.watch) return showTest(io, options, made);
        return watched(io, options, { outreach, id: made.id });
      }),
    );

/** One message goes to each. */
async function seedsInWords(outreach: Outreach, seedIds: number[] | undefined): Promise<string> {
  const messages = (count: number) => `(${plural(count, 'message')})`;
  if (seedIds) {
    const { size } = new Set(seedIds);
    return `${plural(size, 'seed mailbox', 'seed mailboxes')} ${messages(size)}`;
  }
  const { pagination } = await outreach.placementSeeds.list({ limit: 1 });
  return `all seed mailboxes of the account ${messages(pagination.total ?? 0)}`;
}

const listCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('list', 'Lists the tests, newest first.', { examples: ['placement list'] }),
  ).action((options: ListOptions) =>
    withClient(io, options, ({ outreach }) =>
      showList(io, options, (page) => outreach.placementTests.list(page), {
        columns: ['ID', 'AT', 'CAMPAIGN', 'STATUS', 'VERDICT', 'INBOX', 'SPAM', 'MISSING'],
        cells: (one) => [
          one.id,
          minute(one.createdAt),
          one.campaignId,
          one.status,
          one.verdict,
          one.inbox,
          one.spam,
          one.missing,
        ],
        none: 'There are no placement tests.',
      }),
    ),
  );

const showCommand = (io: Io): Command =>
  clientCommand('show', 'Shows where the message of a test has landed so far, by provider.', {
    examples: ['placement show 5'],
  })
    .argument('<id>', 'number of the test', positive)
    .action((id: number, options: ClientOptions) =>
      withClient(io, options, async ({ outreach }) =>
        showTest(io, options, await outreach.placementTests.read({ id })),
      ),
    );

const watchCommand = (io: Io): Command =>
  withTimeout(
    clientCommand('watch', 'Follows a test until it is over.', { examples: ['placement watch 5'] }),
  )
    .argument('<id>', 'number of the test', positive)
    .action((id: number, options: ClientOptions & { timeout: number }) =>
      withClient(io, options, ({ outreach }) => watched(io, options, { outreach, id })),
    );

const cancelCommand = (io: Io): Command =>
  withIdempotencyKey(
    clientCommand('cancel', 'Stops a test; messages that are sent stay sent.', {
      examples: ['placement cancel 5'],
    }),
  )
    .argument('<id>', 'number of the test', positive)
    .action((id: number, options: ClientOptions) =>
      withClient(io, options, async ({ outreach, once }) =>
        showTest(io, options, await once((key) => outreach.placementTests.cancel({ id }, key))),
      ),
    );

async function watched(
  io: Io,
  options: ClientOptions & { timeout: number },
  { outreach, id }: { outreach: Outreach; id: number },
): Promise<void> {
  const read = () => outreach.placementTests.read({ id });
  const again = `outreach placement watch ${id}`;
  const ended = await follow(io, read, progressOf, { timeout: options.timeout, again });
  showTest(io, options, ended);
}

const progressOf = ({ status, inbox, spam, missing, waiting, error }: PlacementTest): Progress => ({
  lines: [`${inbox} in the inbox, ${spam} in spam, ${missing} missing, ${waiting} looked for`],
  isDone: status === 'completed' || status === 'cancelled',
  failure: status === 'failed' ? wordsOf(error, 'The test failed') : null,
});

function showTest(io: Io, options: ClientOptions, one: PlacementTest): void {
  const { inboxPercent } = one;
  show(io, options, one, [
    ['Test', one.id],
    ['Campaign', one.campaignId],
    ['From', one.mailboxEmail],
    ['Status', one.status],
    ['Verdict', one.verdict ?? undefined],
    ['Inbox', inboxPercent === null ? undefined : `${inboxPercent} %`],
    ['Error', wordsOf(one.error, '') || undefined],
    ['Campaign held', one.campaignHeld ? 'yes' : undefined],
  ]);
  if (options.json) return;
  io.out('');
  showTable(io, options, one.providers, {
    columns: ['PROVIDER', 'VERDICT', 'INBOX', 'SPAM', 'OTHER', 'MISSING', 'FAILED', 'WAITING'],
    cells: (of) => [
      of.provider,
      of.verdict,
      of.inbox,
      of.spam,
      of.other,
      of.missing,
      of.failed,
      of.waiting,
    ],
    none: 'No seed mailboxes.',
  });
}
