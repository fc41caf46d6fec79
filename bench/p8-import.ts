/**
 * P8: rows/s of importing and deduplicating a file of leads into a list / COPY and one INSERT ...
 * SELECT. Ours is the whole job but for HTTP and Temporal: reading the file, keeping it in parts,
 * each part's people, counters, errors and provenance in a transaction of its own. Both write into
 * the same tables of one Postgres (fsync on), in turns.
 */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { Client } from 'pg';
import { leadImportActivities } from '../activities/leads/lead-imports.ts';
import { openDatabase } from '../src/db/database.ts';
import { insertLeadImport } from '../src/db/leads/lead-imports.ts';
import type { Database } from '../src/db/tables.ts';
import { decodeText } from '../src/domain/file-text.ts';
import { readLeadFile } from '../src/services/leads/lead-files.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { copyAndInsert } from './baselines/copy-and-insert.ts';
import { bench, optionsOf } from './command.ts';
import { withPostgres } from './postgres.ts';
import { machine, median } from './rounds.ts';

const GOAL = 0.85;
const { rounds: ROUNDS, rows: ROWS } = optionsOf<{ rounds: number; rows: number }>(
  bench('p8', 'Rows of a file imported per second / by COPY and one INSERT ... SELECT.')
    .option('--rounds <n>', 'of each, in turns', count, 9)
    .option('--rows <n>', 'of the file', count, 20_000),
);
/** The number of people per company. */
const PEOPLE_PER_COMPANY = 5;
const DUPLICATES = 0.3;

await withPostgres(async ({ folder, appUrl, ownerUrl }) => {
  const csv = fileOf(ROWS);
  const file = join(folder, 'leads.csv');
  await writeFile(file, csv);
  await chmod(folder, 0o755);
  const db = openDatabase(appUrl, { poolSize: 2 });
  // Only the superuser may read the server's files.
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  // Postgres ends the connection when it is stopped.
  owner.on('error', () => undefined);
  const ways = {
    ours: async (user: Account) => ours(db, user, Buffer.from(csv)),
    baseline: (user: Account) => copyAndInsert(owner, { file, ...user }),
  };
  const seconds = { ours: [] as number[], baseline: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const names = (['ours', 'baseline'] as const).toSorted(() => (round % 2 === 0 ? 1 : -1));
    for (const name of names) {
      const user = await account(db, `${name}-${round}`);
      const start = performance.now();
      const leads = await ways[name](user);
      const took = (performance.now() - start) / 1_000;
      if (leads !== ROWS * (1 - DUPLICATES)) throw new Error(`${name} stored ${leads} leads`);
      if (round >= 0) seconds[name].push(took);
    }
  }
  await report(seconds);
  await owner.end();
  await db.destroy();
});

interface Account {
  userId: string;
  listId: number;
}

async function account(db: Kysely<Database>, userId: string): Promise<Account> {
  await db.insertInto('users').values({ user_id: userId, email: 'bench@example.test' }).execute();
  const { id: listId } = await db
    .insertInto('lead_lists')
    .values({ user_id: userId, name: 'Imported' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { userId, listId };
}

async function ours(db: Kysely<Database>, { userId, listId }: Account, bytes: Buffer) {
  const file = await readLeadFile(decodeText(bytes), {});
  const { id } = await db.transaction().execute((trx) =>
    insertLeadImport(trx, {
      userId,
      leadListId: listId,
      fileName: 'leads.csv',
      source: null,
      ...file,
    }),
  );
  const activities = leadImportActivities({ db });
  while (!(await activities.importLeadParts({ importId: id, operationId: 0 })).isDone);
  const row = await db
    .selectFrom('lead_imports')
    .select('created_leads')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.created_leads;
}

/** People in a shuffled order, some of them twice, with the columns of typical files. */
function fileOf(rows: number): string {
  const people = Math.round(rows * (1 - DUPLICATES));
  let seed = 42;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const numbers = Array.from({ length: rows }, (_, at) =>
    at < people ? at : Math.floor(random() * people),
  );
  for (let at = rows - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [numbers[at], numbers[other]] = [numbers[other]!, numbers[at]!];
  }
  const lines = numbers.map((n) => {
    const company = Math.floor(n / PEOPLE_PER_COMPANY);
    return [
      `Ada${n}`,
      `Lovelace${n % 977}`,
      'Head of Sales',
      `ada${n}@firm${company}.com`,
      `+49 30 ${1_000_000 + n}`,
      `Firm ${company} Holding`,
      `https://firm${company}.com`,
      'Berlin',
      'DE',
    ].join(',');
  });
  const header = 'First name,Last name,Job title,Email,Phone,Company,Website,City,Country';
  return `${header}\n${lines.join('\n')}\n`;
}

async function report(seconds: Record<'ours' | 'baseline', number[]>): Promise<void> {
  const ratios = seconds.ours.map((own, round) => seconds.baseline[round]! / own);
  const perSecond = (name: 'ours' | 'baseline') => Math.round(ROWS / median(seconds[name]));
  process.stdout.write(
    `rows/s: ours ${perSecond('ours')}, COPY and INSERT ${perSecond('baseline')}\n` +
      `P8 import ratio=${median(ratios).toFixed(2)} worst=${Math.min(...ratios).toFixed(2)} ` +
      `goal=${GOAL} (${ROUNDS} rounds of ${ROWS} rows, ${await machine()})\n`,
  );
}
