/** Looks for every secret of the world in the database, the logs and Temporal. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openAccount } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

/** What the simulated vendors take as ours, and marks of secrets whose value nobody knows. */
const KNOWN_SECRETS = [
  'namecom-sandbox-token',
  'hetzner-sandbox-token',
  'sk_test_sandbox',
  'meta-sandbox-token',
  'apify-sandbox-token',
  'hunter-sandbox-key',
  'apollo-sandbox-key',
  Buffer.from('sandbox-test:namecom-sandbox-token').toString('base64'),
  'PRIVATE KEY',
  'root_password',
];

export function secretTests(world: () => SharedWorld): void {
  test('no secret is in the database, the logs or Temporal', { timeout: 120_000 }, async () => {
    const account = await openAccount(world(), 'keys');
    const path = '/api/keys';
    const made = await account.call('POST', path, { name: 'e2e' }, { 'Idempotency-Key': 'key' });
    world().secrets.add(made.body.data.key);
    const canaries = [...world().secrets, ...KNOWN_SECRETS, ...(await ownSecrets(world()))];
    const places = {
      ...(await databaseTexts(world())),
      ...(await fileTexts(join(world().running.stateDir, 'logs'))),
      ...(await historyTexts(world())),
    };
    expect(Object.keys(places)).toEqual(
      expect.arrayContaining([
        'table mailboxes',
        'table idempotency_keys',
        'api.log',
        'worker.log',
      ]),
    );
    expect(findIn(places, canaries)).toEqual([]);
    // The search itself works: what is no secret is found.
    expect(findIn(places, [account.userId])).not.toEqual([]);
  });
}

/** Of the state dir: passwords of the database, keys, secrets of JWT and webhooks. */
async function ownSecrets({ running }: SharedWorld): Promise<string[]> {
  const text = await readFile(join(running.stateDir, 'secrets.json'), 'utf8');
  return Object.values(JSON.parse(text) as Record<string, string>).flatMap((value) => [
    value,
    // `id:key` of the encryption keys.
    ...value.split(/[,:]/).filter((part) => part.length > 20),
  ]);
}

/** Every row of every table as text; `bytea` columns are hexadecimal in it. */
async function databaseTexts({ db }: SharedWorld): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const texts: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t`.execute(db);
    texts[`table ${name}`] = rows.map(({ row }) => row).join('\n');
  }
  return texts;
}

async function fileTexts(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index]!]));
}

/** Each history with its payloads decoded, inputs, results, failures and details alike. */
async function historyTexts({ temporal }: SharedWorld): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const parts: string[] = [];
    collectTexts(history, parts);
    texts[`history ${workflowId} ${runId}`] = parts.join('\n');
  }
  return texts;
}

function collectTexts(value: unknown, into: string[]): void {
  if (typeof value === 'string') into.push(value);
  else if (value instanceof Uint8Array) into.push(Buffer.from(value).toString());
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) collectTexts(part, into);
  }
}

/** Names the place, and of the secret only how it begins. */
function findIn(places: Record<string, string>, canaries: string[]): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    canaries
      .filter((canary) => text.includes(canary) || text.includes(hexOf(canary)))
      .map((canary) => `${place}: ${canary.slice(0, 8)}…`),
  );
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
