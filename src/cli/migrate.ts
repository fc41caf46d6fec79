/** `outreach migrate`: updates the schema and grants access to the application's role. */
import { Command } from 'commander';
import { readMigrationSettings } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { EXIT_CODES, printJson, type Io } from './io.ts';
import { unanswered } from './operator-connections.ts';

export const migrateCommand = (io: Io) =>
  new Command('migrate')
    .description('Applies the migrations that the database does not have yet.')
    .option('--json', 'one JSON document on stdout, for programs')
    .addHelpText(
      'after',
      `
Reads from the environment:
  DATABASE_OWNER_URL  the role that owns the schema
  DATABASE_URL        the application's role; it is made when it does not exist

Several processes may run it at once: one migrates, the others wait and find nothing to do.
${EXIT_CODES}

Example:
  $ DATABASE_OWNER_URL=postgres://... DATABASE_URL=postgres://... outreach migrate`,
    )
    .action(async ({ json }: { json?: boolean }) => {
      const settings = readMigrationSettings(io.environment);
      const ownerUrl = settings.DATABASE_OWNER_URL;
      const applied = await migrate({ ownerUrl, appUrl: settings.DATABASE_URL }).catch(
        (error: unknown) => {
          throw unanswered(error, ownerUrl) ?? error;
        },
      );
      if (json) printJson(io, { applied });
      else io.out(applied.length === 0 ? 'Up to date.' : `Applied: ${applied.join(', ')}`);
    });
