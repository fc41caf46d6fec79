#!/usr/bin/env node
/** The `outreach` command line. */
import { Command } from 'commander';
import { version } from '../version.ts';
import { migrateCommand } from './migrate.ts';
import { tokenCommand } from './token.ts';

const program = new Command('outreach')
  .description('Operates an Outreach installation.')
  .version(version)
  .addCommand(migrateCommand())
  .addCommand(tokenCommand())
  .showHelpAfterError();

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
