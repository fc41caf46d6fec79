/** `outreach wallet`: what is in it, and putting money in. Operators have more of it, in src/cli/wallet.ts. */
import { Command, InvalidArgumentError } from 'commander';
import { parseDollars } from '../../domain/wallet/money.ts';
import { printJson, type Io } from '../io.ts';
import { CLIENTS, clientCommand, clientGroup } from './commands.ts';
import { withClient, withIdempotencyKey, type Client, type ClientOptions } from './connection.ts';
import { showList, withListOptions, type ListOptions } from './lists.ts';
import { dollars, minute, show } from './output.ts';
import { follow, withWatch } from './waiting.ts';

export const walletCommand = (io: Io): Command =>
  clientGroup('wallet', 'Money: the prepaid balance.', ['wallet show', 'wallet audit'])
    .commandsGroup(CLIENTS)
    .addCommand(showCommand(io))
    .addCommand(transactionsCommand(io))
    .addCommand(fundCommand(io));

const showCommand = (io: Io): Command =>
  clientCommand('show', 'Shows the balance, and what is set aside.', {
    examples: ['wallet show', 'wallet show --json | jq .availableCents'],
  }).action((options: ClientOptions) =>
    withClient(io, options, async ({ outreach }) => {
      const wallet = await outreach.wallet.read();
      const { autoRecharge } = wallet;
      show(io, options, wallet, [
        ['Available', dollars(wallet.availableCents)],
        ['Set aside', dollars(wallet.heldCents)],
        ['Balance', dollars(wallet.balanceCents)],
        ['Owed', wallet.owedCents === 0 ? undefined : dollars(wallet.owedCents)],
        [
          'Recharge',
          autoRecharge === null
            ? 'off'
            : `${dollars(autoRecharge.amountCents)} below ${dollars(autoRecharge.thresholdCents)}, ${autoRecharge.status}`,
        ],
      ]);
    }),
  );

const transactionsCommand = (io: Io): Command =>
  withListOptions(
    clientCommand('transactions', 'Lists what went in and out, newest first.', {
      examples: ['wallet transactions --limit 10'],
    }),
  ).action((options: ListOptions) =>
    withClient(io, options, ({ outreach }) =>
      showList(io, options, (page) => outreach.wallet.listTransactions(page), {
        columns: ['ID', 'AT', 'TYPE', 'AMOUNT', 'BALANCE', 'WHAT'],
        cells: (one) => [
          one.id,
          minute(one.createdAt),
          one.type,
          dollars(one.amountCents),
          dollars(one.balanceAfterCents),
          one.description,
        ],
        none: 'Nothing yet.',
      }),
    ),
  );

type FundOptions = ClientOptions & { watch?: boolean; timeout: number };

const fundCommand = (io: Io): Command =>
  withWatch(
    withIdempotencyKey(
      clientCommand('fund', 'Opens a checkout page on which a person pays.', {
        more: 'By itself it moves no money. With --watch it ends when the payment is in the wallet.',
        examples: ['wallet fund 100', 'wallet fund 41.00 --watch'],
      }),
    ),
  )
    .argument('<dollars>', 'such as 100 or 41.00', amount)
    .action((amountCents: number, options: FundOptions) =>
      withClient(io, options, async (client) => {
        const { outreach, once } = client;
        const session = await once((key) => outreach.wallet.fund({ body: { amountCents } }, key));
        if (options.watch) return untilPaid(io, client, session, options);
        show(io, options, session, [
          ['Pay at', session.checkoutUrl],
          ['Session', session.sessionId],
        ]);
      }),
    );

async function untilPaid(
  io: Io,
  { outreach }: Client,
  { checkoutUrl, sessionId }: { checkoutUrl: string; sessionId: string },
  options: FundOptions,
): Promise<void> {
  io.err(`Pay at: ${checkoutUrl}`);
  const body = { sessionId };
  const paid = await follow(
    io,
    () => outreach.wallet.verify({ body }),
    ({ status, credited }) => ({
      lines: credited ? ['The money is in the wallet'] : [`The page is ${status}`],
      isDone: credited,
      failure: status === 'expired' ? 'The checkout page has expired.' : undefined,
    }),
    { timeout: options.timeout, again: 'outreach wallet show' },
  );
  if (options.json) return printJson(io, paid);
  const { availableCents } = await outreach.wallet.read();
  io.out(`${dollars(paid.amountCents)} came in; ${dollars(availableCents)} is available.`);
}

function amount(text: string): number {
  const cents = parseDollars(text);
  if (cents !== undefined && cents > 0) return cents;
  throw new InvalidArgumentError('Dollars such as 100 or 41.00.');
}
