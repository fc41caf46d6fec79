/** The commands of operators, and what else takes a second to load. */
import type { Command } from 'commander';
import { CLIENTS, OPERATORS } from './client/commands.ts';
import { addClusterCommands } from './clusters.ts';
import { completionCommand } from './completion/command.ts';
import { doctorCommand } from './doctor.ts';
import { hostsCommand } from './hosts.ts';
import type { Io } from './io.ts';
import { keysCommand } from './keys.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { opsCommand } from './ops.ts';
import { reconcileCommand } from './reconcile.ts';
import { replayCommand } from './replay.ts';
import { shardsCommand } from './shards.ts';
import { tokenCommand } from './token.ts';
import { addWalletCommands } from './wallet.ts';

/** Adds them to a program that has those of clients. */
export function addOperatorCommands(program: Command, io: Io): void {
  addClusterCommands(groupOf(program, 'clusters'), io);
  addWalletCommands(groupOf(program, 'wallet'), io);
  program
    .commandsGroup(CLIENTS)
    .addCommand(mcpCommand(io))
    .addCommand(completionCommand(io, program))
    .commandsGroup(OPERATORS)
    .addCommand(opsCommand(io))
    .addCommand(reconcileCommand(io))
    .addCommand(doctorCommand(io))
    .addCommand(hostsCommand(io))
    .addCommand(shardsCommand(io))
    .addCommand(keysCommand(io))
    .addCommand(replayCommand(io))
    .addCommand(migrateCommand(io))
    .addCommand(tokenCommand(io));
}

const groupOf = (program: Command, name: string): Command =>
  program.commands.find((one) => one.name() === name)!;
