/**
 * Mailboxes that live elsewhere, by one file, while their worker is killed: each is connected once. Then one of them
 * sends a campaign and reads the answer, and another warms up. Their password is nowhere.
 */
import { describe, expect, test } from 'vitest';
import { eventually, openAccount, type Account } from './account.ts';
import { comeBack } from '../support/vendors/oauth.ts';
import { findIn, textsOf } from '../support/drills/written-texts.ts';
import { sealedSecrets } from './secrets.ts';
import { shareWorld, type SharedWorld } from './shared-world.ts';

const HOSTS = 3;
const PER_HOST = 60;
const ALL = HOSTS * PER_HOST;
const PASSWORD = 'canary-of-a-file-of-mailboxes-6Rm';
const LIMIT_MS = 180_000;
/** What is kept sealed of them, when all have been used. */
const FILLED = ['mailboxes.password', 'oauth_grants.refresh_token', 'oauth_grants.access_token'];

const domainOf = (host: number) => `elsewhere${host}.test`;
const addressesOf = (host: number) =>
  Array.from({ length: PER_HOST }, (_, n) => `m${n}@${domainOf(host)}`);

describe('mailboxes of one’s own', { timeout: 300_000 }, () => {
  const shared = shareWorld(['--day-seconds', '20']);
  const world = () => shared.current;
  let account: Account;
  let mailboxIds: number[];

  test(`${ALL} of a file are connected once each, with two kills of the worker meanwhile`, async () => {
    account = await openAccount(world(), 'connections');
    const hosts = Array.from({ length: HOSTS }, (_, n) => n);
    for (const host of hosts) {
      const mailboxes = addressesOf(host).map((address) => ({ address, password: PASSWORD }));
      const body = { domain: domainOf(host), mailboxes };
      await world().control('PUT', `/mail/elsewhere/mail.${domainOf(host)}`, body);
    }
    const rows = hosts.flatMap((host) =>
      addressesOf(host).map((address) => {
        const name = `mail.${domainOf(host)}`;
        return `${address},${PASSWORD},${name},465,${name},993,50`;
      }),
    );
    const header = 'Email,Password,SMTP host,SMTP port,IMAP host,IMAP port,Daily limit';
    const csv = `${[header, ...rows].join('\n')}\n`;
    const { id } = await account.api.mailboxImports.create({ body: { csv } });
    for (const least of [10, 60]) {
      const victim = (await world().running.read()).pids['worker']!;
      await eventually(
        `${least} mailboxes`,
        async () => (await connected(world(), id)) >= least || undefined,
        LIMIT_MS,
      );
      process.kill(victim, 'SIGKILL');
      await eventually('another worker', async () => {
        const { pids } = await world().running.read();
        return pids['worker'] !== victim || undefined;
      });
    }
    expect(await connected(world(), id)).toBeLessThan(ALL);
    const done = await eventually(
      'the end of the import',
      async () => {
        const now = await account.api.mailboxImports.read({ id });
        return now.status === 'processing' ? undefined : now;
      },
      LIMIT_MS,
    );
    const failed = await account.api.mailboxImports.listRows({ id, state: 'failed' });
    expect(failed.items.map(({ row, error }) => [row, error])).toEqual([]);
    expect(done).toMatchObject({ status: 'completed', counts: { connected: ALL, failed: 0 } });
    const mailboxes = await world()
      .db.selectFrom('mailboxes')
      .select(['id', 'email', 'status'])
      .where('user_id', '=', account.userId)
      .orderBy('id')
      .execute();
    expect(mailboxes.filter(({ status }) => status !== 'active')).toEqual([]);
    expect(mailboxes.map(({ email }) => email).toSorted()).toEqual(
      hosts.flatMap(addressesOf).toSorted(),
    );
    const told = await world()
      .db.selectFrom('events')
      .select('resource')
      .where('user_id', '=', account.userId)
      .where('type', '=', 'mailbox.connected')
      .execute();
    expect(new Set(told.map(({ resource }) => resource)).size).toBe(ALL);
    expect(told).toHaveLength(ALL);
    mailboxIds = mailboxes.map((mailbox) => mailbox.id);
  });

  test('one of them sends a campaign, and its inbox has the answer', async () => {
    const { api } = account;
    await api.account.update({
      body: { senderName: 'Ann King', postalAddress: '1 Test Street, Springfield' },
    });
    const list = await api.leadLists.create({ body: { name: 'Own' } });
    const people = [{ firstName: 'Ada', lastName: 'King', email: 'reply-ada@client.test' }];
    await api.leads.create({ body: { company_name: 'Client', leadListId: list.id, people } });
    const [mailboxId] = mailboxIds;
    const { id } = await api.campaigns.create({
      body: {
        name: 'Own',
        subjectTemplate: 'A word, {{firstName}}?',
        bodyTemplate: 'Hello {{firstName}}, this comes from elsewhere.',
        timezone: 'UTC',
        activeDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        startTime: '00:00',
        endTime: '23:59',
        assignedMailboxes: [String(mailboxId)],
        leadListIds: [list.id],
      },
    });
    await api.campaigns.start({ id });
    const stats = await eventually(
      'the answer',
      async () => {
        const { stats: now } = await api.campaigns.read({ id });
        return now.replied > 0 ? now : undefined;
      },
      LIMIT_MS,
    );
    expect(stats).toMatchObject({ sent: 1, replied: 1, bounced: 0 });
  });

  test('others warm up over the wire: what one sends, another finds in its mailbox', async () => {
    const ids = mailboxIds.slice(1, 5);
    for (const id of ids) {
      await account.api.warmup.start({ id });
      // By default mailboxes rest at weekends, and weekdays are the calendar's at any length of a day.
      await account.api.warmup.update({ id, body: { weekdaysOnly: false } });
    }
    const arrived = await eventually(
      'a message of warm-up that arrived',
      async () => {
        const found = await world()
          .db.selectFrom('warmup_letters')
          .select('id')
          .where('from_mailbox_id', 'in', ids)
          .where('state', '=', 'sent')
          .where('seen_at', 'is not', null)
          .execute();
        return found.length > 0 || undefined;
      },
      LIMIT_MS,
    );
    expect(arrived).toBe(true);
  });

  test('one at Google is used by OAuth, without a password', async () => {
    const email = 'oauth@workspace.test';
    const { authorizationUrl } = await account.api.mailboxes.connectByOauth({
      body: { provider: 'google', email },
    });
    const back = await comeBack(authorizationUrl);
    const page = await fetch(`${world().file.api}/oauth/callback?${back}`);
    expect(await page.text()).toContain('is being connected');
    world().secrets.add(back.get('code')!);
    const mailbox = await eventually(
      'a mailbox that is proven',
      async () => {
        const { items } = await account.api.mailboxes.list({ limit: 5 });
        return items.find((one) => one.email === email && one.isActive);
      },
      LIMIT_MS,
    );
    expect(mailbox).toBeDefined();
  });

  test('their password is in no table, no log and no history, nor is any token', async () => {
    const places = await textsOf(world());
    expect(Object.keys(places)).toEqual(
      expect.arrayContaining(['table mailbox_import_rows', 'table mailboxes', 'worker.log']),
    );
    const plain = Buffer.from(PASSWORD).toString('base64');
    const auth = addressesOf(0).slice(0, 3);
    const logins = auth.map((user) => Buffer.from(`\0${user}\0${PASSWORD}`).toString('base64'));
    const sealed = [...world().secrets, ...(await sealedSecrets(world(), FILLED))];
    expect(sealed.length).toBeGreaterThan(2);
    expect(findIn(places, [PASSWORD, plain, ...logins, ...sealed])).toEqual([]);
    // The search itself works: what is no secret is found.
    expect(findIn(places, [addressesOf(0)[0]!])).not.toEqual([]);
    expect(findIn(places, ['connectMailboxRows'])).not.toEqual([]);
  });
});

const connected = async ({ db }: SharedWorld, importId: number): Promise<number> => {
  const { n } = await db
    .selectFrom('mailbox_import_rows')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('import_id', '=', importId)
    .where('state', '=', 'connected')
    .executeTakeFirstOrThrow();
  return Number(n);
};
