/** The commands of clients. */
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { accountCommand } from './account.ts';
import { campaignsCommand } from './campaigns.ts';
import { clustersCommand } from './clusters.ts';
import { CLIENTS } from './commands.ts';
import { domainsCommand } from './domains.ts';
import { inboxCommand } from './inbox.ts';
import { leadsCommand } from './leads.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './login.ts';
import { mailboxesCommand } from './mailboxes/index.ts';
import { operationsCommand } from './operations.ts';
import { placementCommand } from './placement.ts';
import { walletCommand } from './wallet.ts';
import { webhooksCommand } from './webhooks.ts';

/** Adds them, with the groups in which operators have commands, too. */
export function addClientCommands(program: Command, io: Io): void {
  program
    .commandsGroup(CLIENTS)
    .addCommand(loginCommand(io))
    .addCommand(logoutCommand(io))
    .addCommand(whoamiCommand(io))
    .addCommand(accountCommand(io))
    .addCommand(leadsCommand(io))
    .addCommand(mailboxesCommand(io))
    .addCommand(domainsCommand(io))
    .addCommand(campaignsCommand(io))
    .addCommand(inboxCommand(io))
    .addCommand(placementCommand(io))
    .addCommand(operationsCommand(io))
    .addCommand(webhooksCommand(io))
    .commandsGroup('Commands of both:')
    .addCommand(clustersCommand(io))
    .addCommand(walletCommand(io));
}
