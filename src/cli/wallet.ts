/** What operators have of `outreach wallet`: whether all amounts agree with the ledger, and a change by hand. */
import { Command } from 'commander';
import { auditWallets } from '../db/wallet/ledger-audit.ts';
import { OPERATORS } from './client/commands.ts';
import { adjustCommand } from './wallet-adjust.ts';
import { CommandEnd, EXIT, EXIT_CODES, printJson, printTable, type Io } from './io.ts';
import {
  withOperatorConnections,
  withConnectionOptions,
  type ConnectionOptions,
} from './operator-connections.ts';

/** Adds to the group of a client's commands what operators have. */
export function addWalletCommands(group: Command, io: Io): void {
  group.commandsGroup(OPERATORS).addCommand(adjustCommand(io)).addCommand(auditCommand(io));
}

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
