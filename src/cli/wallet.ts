/** `outreach wallet`: a client's by the API; for operators, whether all amounts agree with the ledger, and a change by hand. */
import { Command } from 'commander';
import { auditWallets } from '../db/wallet/ledger-audit.ts';
import { CLIENTS, OPERATORS } from './client/commands.ts';
import { walletCommands } from './client/wallet.ts';
import { adjustCommand } from './wallet-adjust.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  withOperatorConnections,
  withConnectionOptions,
  type ConnectionOptions,
} from './operator-connections.ts';

export const walletCommand = (io: Io): Command => {
  const command = new Command('wallet')
    .description('Money: the prepaid balance.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ outreach wallet show\n  $ outreach wallet audit\n  $ outreach wallet adjust --help',
    )
    .commandsGroup(CLIENTS);
  for (const one of walletCommands(io)) command.addCommand(one);
  return command
    .commandsGroup(OPERATORS)
    .addCommand(adjustCommand(io))
    .addCommand(auditCommand(io));
};

const auditCommand = (io: Io): Command =>
  withConnectionOptions(new Command('audit'))
    .description('Compares wallets, holds, transactions and checkouts with the ledger.')
    .addHelpText(
      'after',
      `
It reads one snapshot and changes nothing. Amounts are cents.
${EXIT_CODES}

Examples:
  $ outreach wallet audit
  $ outreach wallet audit --json | jq length`,
    )
    .action(async (options: ConnectionOptions) => {
      const found = await withOperatorConnections(io, options, ({ db }) => auditWallets(db));
      if (options.json) printJson(io, found);
      else {
        const rows = found.map((one) => [one.check, one.subject, one.expected, one.actual]);
        const columns = ['CHECK', 'SUBJECT', 'EXPECTED', 'ACTUAL'];
        printTable(io, columns, rows, 'Everything agrees with the ledger.');
      }
      if (found.length === 0) return;
      throw new CommandEnd(EXIT.attention, `${found.length} do not agree with the ledger.`);
    });
