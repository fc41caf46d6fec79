/** `outreach wallet adjust`: the one way to change a balance by hand. */
import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { formatDollars, parseDollars } from '../domain/wallet/money.ts';
import { adjustWallet } from '../services/wallet/adjustments.ts';
import { EXIT_CODES, printJson, type Io } from './io.ts';
import {
  withConnectionOptions,
  withOperatorConnections,
  withWords,
  wordsOf,
  type ConnectionOptions,
} from './operator-connections.ts';

type Options = ConnectionOptions & { actor: string; reason: string; amount: number; key?: string };

export const adjustCommand = (io: Io): Command =>
  withWords(withConnectionOptions(new Command('adjust')))
    .description('Adds to the available balance of a user, or takes from it.')
    .argument('<user>', 'id of the user')
    .requiredOption('--amount <dollars>', 'such as 12.50, or =-12.50 to take', dollars)
    .option('--key <text>', 'repeated with the same key it changes nothing (default: a new one)')
    .addHelpText(
      'after',
      `
The client sees it among the wallet's transactions, as an adjustment with the reason. What is owed is
settled from it first. More than is available is never taken.
${EXIT_CODES}

Examples:
  $ outreach wallet adjust user_42 --amount 12.50 --reason 'Goodwill for the outage of 3 May'
  $ outreach wallet adjust user_42 --amount=-3 --reason 'Credited twice, ticket 811' --key 811`,
    )
    .action(async (userId: string, options: Options) => {
      const { amount: amountCents, key = randomUUID() } = options;
      const adjustment = { userId, amountCents, key, ...wordsOf(options) };
      const { isRepeated, wallet } = await withOperatorConnections(io, options, (connections) =>
        adjustWallet(connections, adjustment),
      );
      if (options.json) {
        printJson(io, { key, isRepeated, amountCents, ...wallet });
        return;
      }
      const available = `${formatDollars(wallet.availableCents)} is available`;
      io.out(
        isRepeated
          ? `Nothing changed: an adjustment with the key ${key} was made before. ${available}.`
          : `${formatDollars(amountCents)} for ${userId}: ${available}. Key: ${key}`,
      );
    });

function dollars(text: string): number {
  const cents = parseDollars(text);
  if (cents !== undefined && cents !== 0) return cents;
  throw new InvalidArgumentError('Dollars such as 12.50 or -3, and not 0.');
}
