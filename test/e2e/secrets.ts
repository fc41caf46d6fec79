/** Looks for every secret of the world in the database, the logs and Temporal. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vendorAccounts } from '../../src/dev/processes/world-settings.ts';
import { registrarAccounts } from '../../src/sandbox/registrar-accounts.ts';
import { openSealedSecrets } from '../support/database/sealed-secrets.ts';
import { findIn, textsOf } from '../support/drills/written-texts.ts';
import { eventually, openAccount, type Account } from './account.ts';
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
  test('no secret is in the database, the logs or Temporal', { timeout: 300_000 }, async () => {
    const account = await openAccount(world(), 'keys');
    const named = { body: { name: 'e2e' } };
    const { key } = await account.api.apiKeys.create(named, { idempotencyKey: 'key' });
    world().secrets.add(key);
    await keepLogins(account, world().secrets);
    const canaries = [
      ...world().secrets,
      ...KNOWN_SECRETS,
      ...(await ownSecrets(world())),
      ...(await sealedSecrets(world(), FILLED)),
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

/** Of the state dir: passwords of the database, keys, secrets of JWT and webhooks. */
async function ownSecrets({ running }: SharedWorld): Promise<string[]> {
  const text = await readFile(join(running.stateDir, 'secrets.json'), 'utf8');
  return Object.values(JSON.parse(text) as Record<string, string>).flatMap((value) => [
    value,
    // `id:key` of the encryption keys.
    ...value.split(/[,:]/).filter((part) => part.length > 20),
  ]);
}

/** Columns that this world has filled by now: of each at least one secret is looked for. */
const FILLED = [
  'acme_accounts.private_key',
  'domains.dkim_private_key',
  'mailboxes.password',
  'placement_seeds.password',
  'role_mailboxes.password',
  'servers.client_private_key',
  'servers.host_private_key',
  'tracking_domains.certificate_key',
  'webhooks.secret',
];

/** What rows hold sealed in any column: passwords, keys line by line, tokens, secrets of webhooks. */
export async function sealedSecrets(
  { db, cipher }: SharedWorld,
  filled: readonly string[],
): Promise<string[]> {
  const opened = await openSealedSecrets(db, cipher);
  expect(filled.filter((name) => !opened.get(name)?.length)).toEqual([]);
  return [...new Set([...opened.values()].flat())];
}

/**
 * Logins at hosts of others: of a mailbox that is connected, of some in a file whose host nobody answers at, and
 * of a seed of placement tests.
 */
async function keepLogins({ api }: Account, secrets: Set<string>): Promise<void> {
  const password = (of: string) => {
    const text = `canary-${of}-${randomBytes(9).toString('base64url')}`;
    secrets.add(text);
    return text;
  };
  const imap = { host: 'imap.nobody-answers.test', port: 993 as const };
  const smtp = { host: 'smtp.nobody-answers.test', port: 465 as const };
  const seed = { address: 'seed@nobody-answers.test', provider: 'other' as const, imap };
  await api.placementSeeds.create({ body: { ...seed, password: password('seed') } });
  const own = { email: 'own@nobody-answers.test', smtp, imap, password: password('connected') };
  const { id } = await api.mailboxes.connect({ body: own });
  const header = 'Email,Password,SMTP host,SMTP port,IMAP host,IMAP port';
  const row = `row@nobody-answers.test,${password('row')},${smtp.host},465,${imap.host},993`;
  const file = await api.mailboxImports.create({ body: { csv: `${header}\n${row}\n` } });
  // Each was tried, and what went wrong is written down.
  const isOver = async () => {
    const { status } = await api.mailboxes.readConnection({ id });
    const { status: imported } = await api.mailboxImports.read({ id: file.id });
    return (status === 'failed' && imported !== 'processing') || undefined;
  };
  await eventually('the end of the logins', isOver, 90_000);
}
