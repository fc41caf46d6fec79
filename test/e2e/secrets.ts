/** Looks for every secret of the world in the database, the logs and Temporal. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Payload } from '@temporalio/common';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { dkimBinding } from '../../activities/engine/access.ts';
import { rolePasswordBinding } from '../../src/db/mail-reports/role-mailboxes.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { accessTokenBinding, refreshTokenBinding } from '../../src/db/mailboxes/oauth-grants.ts';
import { clientKeyBinding, hostKeyBinding } from '../../src/db/clusters/server-access.ts';
import { secretBinding } from '../../src/db/webhooks/webhooks.ts';
import { vendorAccounts } from '../../src/dev/processes/world-settings.ts';
import { registrarAccounts } from '../../src/sandbox/registrar-accounts.ts';
import { openAccount } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

/** What the simulated vendors take as ours, Stripe's secret among them. */
const VENDOR_SECRETS = Object.entries({ ...vendorAccounts, ...registrarAccounts('') })
  .filter(([name]) => /_(TOKEN|KEY|SECRET)$/.test(name))
  .map(([, value]) => value);

/** And marks of secrets whose value nobody knows. */
const KNOWN_SECRETS = [
  ...VENDOR_SECRETS,
  Buffer.from('sandbox-test:namecom-sandbox-token').toString('base64'),
  'PRIVATE KEY',
  'root_password',
];

export function secretTests(world: () => SharedWorld): void {
  test('no secret is in the database, the logs or Temporal', { timeout: 120_000 }, async () => {
    const account = await openAccount(world(), 'keys');
    const named = { body: { name: 'e2e' } };
    const { key } = await account.api.apiKeys.create(named, { idempotencyKey: 'key' });
    world().secrets.add(key);
    const canaries = [
      ...world().secrets,
      ...KNOWN_SECRETS,
      ...(await ownSecrets(world())),
      ...(await sealedSecrets(world())),
      ...(await sealedTokens(world())),
    ];
    const places = await textsOf(world());
    expect(Object.keys(places)).toEqual(
      expect.arrayContaining([
        'table mailboxes',
        'table idempotency_keys',
        'api.log',
        'worker.log',
      ]),
    );
    expect(findIn(places, canaries)).toEqual([]);
    // The search itself works: what is no secret is found, in histories once they are decoded.
    expect(findIn(places, [account.userId])).not.toEqual([]);
    const holders = findIn(places, ['operationId']).filter((found) => found.includes('history'));
    expect(holders).not.toEqual([]);
    expect(holders.filter((found) => found.startsWith('raw'))).toEqual([]);
  });
}

/** What the product has written anywhere, by place: database, logs, histories. */
export const textsOf = async (world: SharedWorld): Promise<Record<string, string>> => ({
  ...(await databaseTexts(world)),
  ...(await fileTexts(join(world.running.stateDir, 'logs'))),
  ...(await historyTexts(world)),
});

/** Of the state dir: passwords of the database, keys, secrets of JWT and webhooks. */
async function ownSecrets({ running }: SharedWorld): Promise<string[]> {
  const text = await readFile(join(running.stateDir, 'secrets.json'), 'utf8');
  return Object.values(JSON.parse(text) as Record<string, string>).flatMap((value) => [
    value,
    // `id:key` of the encryption keys.
    ...value.split(/[,:]/).filter((part) => part.length > 20),
  ]);
}

/** What rows hold sealed: passwords, keys of DKIM and SSH line by line, secrets of webhooks. */
async function sealedSecrets({ db, cipher }: SharedWorld): Promise<string[]> {
  const [mailboxes, roles, domains, servers, webhooks] = await Promise.all([
    db.selectFrom('mailboxes').select(['id', 'password']).execute(),
    db.selectFrom('role_mailboxes').selectAll().execute(),
    db.selectFrom('domains').select(['id', 'dkim_private_key as key']).execute(),
    db.selectFrom('servers').selectAll().execute(),
    db.selectFrom('webhooks').select(['id', 'secret']).execute(),
  ]);
  const opened: string[] = [];
  const open = (sealed: Buffer | null, boundTo: string) => {
    if (sealed !== null) opened.push(...linesOf(cipher.open(sealed, boundTo)));
  };
  for (const { id, password } of mailboxes) open(password, passwordBinding(id));
  for (const { cluster_id: clusterId, name, password } of roles) {
    open(password, rolePasswordBinding({ clusterId, name }));
  }
  for (const { id, key } of domains) open(key, dkimBinding(id));
  for (const server of servers) {
    open(server.client_private_key, clientKeyBinding(server.intent_name));
    open(server.host_private_key, hostKeyBinding(server.intent_name));
  }
  for (const { id, secret } of webhooks) open(secret, secretBinding(id));
  expect(opened.length).toBeGreaterThan(mailboxes.length + domains.length + servers.length);
  return [...new Set(opened)];
}

/** Of mailboxes that are used by OAuth. */
export async function sealedTokens({ db, cipher }: SharedWorld): Promise<string[]> {
  const grants = await db.selectFrom('oauth_grants').selectAll().execute();
  return grants.flatMap(({ id, refresh_token: refresh, access_token: access }) => [
    cipher.open(refresh, refreshTokenBinding(id)),
    ...(access === null ? [] : [cipher.open(access, accessTokenBinding(id))]),
  ]);
}

/** Of a key in PEM the second half, where nothing is public. */
function linesOf(secret: string): string[] {
  if (!secret.includes('PRIVATE KEY')) return [secret];
  const lines = secret.split('\n').filter((line) => line.length > 30 && !line.startsWith('---'));
  return lines.slice(lines.length / 2);
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

/** Each history as it is kept, and with its payloads decoded: inputs, results, failures, details. */
async function historyTexts({ temporal }: SharedWorld): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  const { payloadCodecs } = temporal.options.loadedDataConverter;
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const kept: Found = { texts: [], payloads: [] };
    collect(history, kept);
    const decoded: Found = { texts: [], payloads: [] };
    collect(await payloadCodecs[0]!.decode(kept.payloads), decoded);
    texts[`raw history ${workflowId} ${runId}`] = kept.texts.join('\n');
    texts[`history ${workflowId} ${runId}`] = decoded.texts.join('\n');
  }
  return texts;
}

interface Found {
  texts: string[];
  payloads: Payload[];
}

/** Every text in a value, and every payload, bytes read as text. */
function collect(value: unknown, into: Found): void {
  if (typeof value === 'string') into.texts.push(value);
  else if (value instanceof Uint8Array) into.texts.push(Buffer.from(value).toString());
  else if (typeof value === 'object' && value !== null) {
    if ('metadata' in value && 'data' in value) into.payloads.push(value as Payload);
    for (const part of Object.values(value)) collect(part, into);
  }
}

/** Names the place, and of the secret only how it begins. */
export function findIn(places: Record<string, string>, canaries: string[]): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    canaries
      .filter((canary) => text.includes(canary) || text.includes(hexOf(canary)))
      .map((canary) => `${place}: ${canary.slice(0, 8)}…`),
  );
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
