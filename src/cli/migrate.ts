/** `outreach migrate`: updates the schema and grants access to the application's role. */
import { Command } from 'commander';
import { readMigrationSettings } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import type { Mode } from '../domain/accounts/modes.ts';
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
  TEST_DATABASE_OWNER_URL, TEST_DATABASE_URL  the same of test mode, where there is one

Several processes may run it at once: one migrates, the others wait and find nothing to do.
${EXIT_CODES}

Example:
  $ DATABASE_OWNER_URL=postgres://... DATABASE_URL=postgres://... outreach migrate`,
    )
    .action(async ({ json }: { json?: boolean }) => {
      const { environment } = io;
      const applied = await migrated(environment, 'live');
      const hasTest = Boolean(environment['TEST_DATABASE_OWNER_URL']);
      const test = hasTest ? await migrated(environment, 'test') : undefined;
      if (json) return printJson(io, { applied, ...(test && { test }) });
      io.out(wordsOf(applied));
      if (test) io.out(`Test mode: ${wordsOf(test)}`);
    });

async function migrated(environment: NodeJS.ProcessEnv, mode: Mode): Promise<string[]> {
  const settings = readMigrationSettings({ ...environment, OUTREACH_MODE: mode });
  const ownerUrl = settings.DATABASE_OWNER_URL;
  return migrate({ ownerUrl, appUrl: settings.DATABASE_URL, mode }).catch((error: unknown) => {
    throw unanswered(error, ownerUrl) ?? error;
  });
}

const wordsOf = (applied: readonly string[]): string =>
  applied.length === 0 ? 'Up to date.' : `Applied: ${applied.join(', ')}`;
