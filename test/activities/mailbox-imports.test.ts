/** Files of mailboxes at mail hosts elsewhere: each is connected once, wherever the worker dies. Choice 120. */
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailboxImportActivities } from '../../activities/mailboxes/mailbox-imports.ts';
import { createLoginGates } from '../../activities/mailboxes/login-gates.ts';
import type { Context } from '../../src/context.ts';
import { findMailboxAccess } from '../../src/db/mailboxes/mailbox-access.ts';
import { findLatestOperation } from '../../src/db/operations/operations.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { MailServers } from '../../src/domain/mailboxes/mail-servers.ts';
import type { ImapSession, MailTransport } from '../../src/providers/mail-transport/port.ts';
import {
  cancelMailboxImport,
  getMailboxImport,
  importMailboxes,
  listMailboxImportRows,
} from '../../src/services/mailboxes/mailbox-imports.ts';
import { deleteMailbox } from '../../src/services/mailboxes/mailbox-changes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSandboxContext } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const DOMAIN = 'elsewhere.test';
const HOST = `mail.${DOMAIN}`;
const PASSWORD = 'canary-of-a-row-4Kv';
const NOBODY = '127.0.0.1:9';

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let users = 0;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  context = createSandboxContext(database, sandbox, NOBODY, {
    environment: { CRAWLER_ALLOW_BENCHMARK_RANGE: 'true', MAILBOX_PROOF_SECONDS: '20' },
  });
  context.startOperation = async () => true;
  context.temporal.workflow.getHandle = (() => ({ signal: async () => undefined })) as never;
});
afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

async function newUser(): Promise<string> {
  users += 1;
  const userId = `user-${users}`;
  const user = { user_id: userId, email: `${userId}@x.test` };
  await context.db.insertInto('users').values(user).execute();
  return userId;
}

/** The host has these mailboxes from now on. */
async function addresses(count: number, name: string): Promise<string[]> {
  const made = Array.from({ length: count }, (_, n) => `${name}${n}@${DOMAIN}`);
  const mailboxes = made.map((address) => ({ address, password: PASSWORD }));
  const body = { domain: DOMAIN, mailboxes };
  const { status } = await sandbox.control('PUT', `/mail/elsewhere/${HOST}`, body);
  expect(status).toBe(200);
  return made;
}

const serversAt = (email: string, host = HOST): MailServers => ({
  username: email,
  smtp: { host, port: 465, tls: 'tls' },
  imap: { host, port: 993, tls: 'tls' },
});

interface Wanted {
  email: string;
  password?: string;
  host?: string;
}

async function order(userId: string, wanted: readonly Wanted[]): Promise<number> {
  const orders = wanted.map(({ email, password = PASSWORD, host }, at) => {
    const own = { preset: null, senderName: null, dailyLimit: 7 };
    return { row: at + 2, email, password, servers: serversAt(email, host), ...own };
  });
  const { view } = await importMailboxes(context, userId, { orders, refused: [] });
  return view.row.id;
}

/** One page by its activity, as a worker of these means does it. */
async function page(
  importId: number,
  means: Partial<Context> = {},
  environment = activityEnvironment(),
) {
  const { id: operationId } = (await findLatestOperation(context.db, 'mailbox_import', importId))!;
  const activities = mailboxImportActivities({
    ...context,
    ...means,
    logger: pino({ level: 'silent' }),
  });
  const input = { importId, operationId, retryPace: 0.01 };
  return environment.run((of: typeof input) => activities.connectMailboxRows(of), input);
}

const viewOf = async (userId: string, id: number) => {
  const { row, counts } = await getMailboxImport(context, userId, id);
  const { rows } = await listMailboxImportRows(context, { userId, id }, { limit: 100, offset: 0 });
  return { status: row.status, counts, rows };
};

const eventsOf = async (userId: string) =>
  (
    await context.db.selectFrom('events').select('type').where('user_id', '=', userId).execute()
  ).map(({ type }) => type);

async function proofsLeft(mailboxId: number): Promise<number> {
  const imap = await context.mailTransport.openImap((await findMailboxAccess(context, mailboxId))!);
  const left = await imap.search('INBOX', { name: 'Subject', value: 'Connecting this mailbox' });
  await imap.close();
  return left.length;
}

describe('a file of mailboxes', () => {
  it('is worked off: each is active, has what its row says, and its message is gone', async () => {
    const userId = await newUser();
    const emails = await addresses(12, 'many');
    const id = await order(
      userId,
      emails.map((email) => ({ email })),
    );
    expect(await page(id)).toMatchObject({
      state: 'active',
      isDone: true,
      progress: '12 of 12 rows, 12 connected',
    });
    const { counts, rows } = await viewOf(userId, id);
    expect(counts).toMatchObject({ connected: 12, waiting: 0, connecting: 0 });
    expect(rows.every((row) => row.password === null && row.ended_at !== null)).toBe(true);
    expect(await proofsLeft(rows[0]!.mailbox_id!)).toBe(0);
    const mailboxes = await context.db
      .selectFrom('mailboxes')
      .select(['email', 'status', 'daily_limit'])
      .where('user_id', '=', userId)
      .orderBy('email')
      .execute();
    expect(mailboxes).toEqual(
      emails.toSorted().map((email) => ({ email, status: 'active', daily_limit: 7 })),
    );
    expect(await eventsOf(userId)).toEqual(Array(12).fill('mailbox.connected'));
    const syncs = await context.db
      .selectFrom('operations')
      .select('id')
      .where('user_id', '=', userId)
      .where('kind', '=', 'syncInbox')
      .execute();
    expect(syncs).toHaveLength(1);
  });

  it('goes on behind rows that fail, and tells apart why', async () => {
    const userId = await newUser();
    const [good, wrong, before] = await addresses(3, 'mixed');
    await page(await order(userId, [{ email: before! }]));
    const stranger = await newUser();
    const [taken] = await addresses(1, 'taken');
    await page(await order(stranger, [{ email: taken! }]));
    const id = await order(userId, [
      { email: wrong!, password: 'not-the-password' },
      { email: before! },
      { email: taken! },
      { email: `x@${DOMAIN}`, host: 'no-such-host.test' },
      { email: `y@${DOMAIN}`, host: '10.0.0.7' },
      { email: good! },
    ]);
    expect(await page(id)).toMatchObject({ isDone: true });
    const { rows } = await viewOf(userId, id);
    expect(rows.map(({ state, error_code: code }) => [state, code])).toEqual([
      ['failed', 'LOGIN_REFUSED'],
      ['already_connected', null],
      ['failed', 'MAILBOX_EXISTS'],
      ['failed', 'HOST_UNREACHABLE'],
      ['failed', 'HOST_FORBIDDEN'],
      ['connected', null],
    ]);
    expect(JSON.stringify(rows)).not.toContain('not-the-password');
  });

  it('may be given again: what is connected is told, what failed is tried', async () => {
    const userId = await newUser();
    const [one, other] = await addresses(2, 'again');
    await page(await order(userId, [{ email: one! }, { email: other!, password: 'wrong' }]));
    const id = await order(userId, [{ email: one! }, { email: other! }]);
    await page(id);
    const { rows } = await viewOf(userId, id);
    expect(rows.map(({ state }) => state)).toEqual(['already_connected', 'connected']);
  });
});

/** The last thing that a worker does before it dies; `after` that, or instead of it. */
const DEATHS: [string, (mail: MailTransport, die: () => never) => Partial<MailTransport>][] = [
  ['before the login', (_mail, die) => ({ openImap: async () => die() })],
  ['before the message', (_mail, die) => ({ submit: async () => die() })],
  [
    'after the message',
    (mail, die) => ({
      async submit(...of) {
        await mail.submit(...of);
        return die();
      },
    }),
  ],
  ['while it waits', (mail, die) => withImap(mail, () => ({ idle: async () => die() }))],
  ['before it is deleted', (mail, die) => withImap(mail, () => ({ remove: async () => die() }))],
  [
    'after it was deleted',
    (mail, die) =>
      withImap(mail, (imap) => ({
        async remove(...of) {
          await imap.remove(...of);
          return die();
        },
      })),
  ],
];

const withImap = (
  mail: MailTransport,
  change: (imap: ImapSession) => Partial<ImapSession>,
): Partial<MailTransport> => ({
  async openImap(access) {
    const imap = await mail.openImap(access);
    return { ...imap, ...change(imap) };
  },
});

describe('a worker that dies', () => {
  it.each(DEATHS)(
    '%s leaves the rest to the next one, and no mailbox is connected twice',
    async (at, dying) => {
      const userId = await newUser();
      const [email] = await addresses(1, `dies-${at.replaceAll(' ', '-')}`);
      const id = await order(userId, [{ email: email! }]);
      const die = (): never => {
        throw Object.assign(new Error('the process is gone'), { code: 'ECONNRESET' });
      };
      const mailTransport = { ...context.mailTransport, ...dying(context.mailTransport, die) };
      await expect(page(id, { mailTransport })).rejects.toThrow('the process is gone');
      expect((await viewOf(userId, id)).counts.connecting).toBe(1);
      // The next one dies there, too, unless nothing is left to be done there.
      await page(id, { mailTransport }).catch(() => undefined);
      expect(await page(id)).toMatchObject({ isDone: true });
      const { rows } = await viewOf(userId, id);
      expect(rows).toMatchObject([{ state: 'connected' }]);
      expect(await eventsOf(userId)).toEqual(['mailbox.connected']);
      expect(await proofsLeft(rows[0]!.mailbox_id!)).toBe(0);
      const made = await context.db
        .selectFrom('mailboxes')
        .select('status')
        .where('email', '=', email!)
        .execute();
      expect(made).toEqual([{ status: 'active' }]);
    },
  );
});

describe('an import that is cancelled', () => {
  it('keeps what is connected, ends what is not, and forgets its passwords', async () => {
    const userId = await newUser();
    const [one, other] = await addresses(2, 'cancel');
    const id = await order(userId, [{ email: one! }, { email: other! }]);
    const environment = activityEnvironment();
    let idling: () => void;
    const waits = new Promise<void>((resolve) => (idling = resolve));
    // Of the second the message never comes.
    const mailTransport = {
      ...context.mailTransport,
      openImap: async (access: Parameters<MailTransport['openImap']>[0]) => {
        const imap = await context.mailTransport.openImap(access);
        if (access.email === one) return imap;
        const search = async () => [];
        return {
          ...imap,
          search,
          idle: async (...of: Parameters<ImapSession['idle']>) => (idling(), imap.idle(...of)),
        };
      },
    };
    const running = page(id, { mailTransport }, environment).catch((error: unknown) => error);
    await waits;
    await expect.poll(async () => (await viewOf(userId, id)).counts.connected).toBe(1);
    await cancelMailboxImport(context, userId, id);
    environment.cancel('CANCELLED');
    expect(await running).toBeInstanceOf(Error);
    const { status, rows } = await viewOf(userId, id);
    expect(status).toBe('cancelled');
    expect(rows.map(({ state, password }) => [state, password])).toEqual([
      ['connected', null],
      ['cancelled', null],
    ]);
    const left = await context.db
      .selectFrom('mailboxes')
      .select(['email', 'status'])
      .where('user_id', '=', userId)
      .orderBy('email')
      .execute();
    expect(left).toEqual([
      { email: one, status: 'active' },
      { email: other, status: 'failed' },
    ]);
    expect(await page(id)).toMatchObject({ state: 'over' });
  });
});

/** What an IMAP server does once to each session that comes first, and in what it is interrupted. */
const INTERRUPTIONS: [string, (imap: ImapSession, end: () => never) => Partial<ImapSession>][] = [
  ['in IDLE', (_imap, end) => ({ idle: async () => end() })],
  ['at the search', (_imap, end) => ({ search: async () => end() })],
  [
    'when the message is deleted',
    (imap, end) => ({
      async remove(...of) {
        await imap.remove(...of);
        return end();
      },
    }),
  ],
];

describe('a server that ends a session', () => {
  const lost = () => new ProviderError('unavailable', 'IMAP: ended', { provider: 'mail' });

  it.each(INTERRUPTIONS)('%s has another one, and the mailbox is proven', async (at, change) => {
    const userId = await newUser();
    const [email] = await addresses(1, `ends-${at.replaceAll(' ', '-')}`);
    const id = await order(userId, [{ email: email! }]);
    let ended = 0;
    const end = (): never => {
      ended += 1;
      throw lost();
    };
    const ending = withImap(context.mailTransport, (imap) => (ended > 0 ? {} : change(imap, end)));
    const mailTransport = { ...context.mailTransport, ...ending };
    expect(await page(id, { mailTransport })).toMatchObject({ isDone: true });
    const { rows } = await viewOf(userId, id);
    expect(rows).toMatchObject([{ state: 'connected' }]);
    expect(ended).toBe(1);
    expect(await proofsLeft(rows[0]!.mailbox_id!)).toBe(0);
  });

  it('again and again is told as what it is, once the time is over', async () => {
    const userId = await newUser();
    const [email] = await addresses(1, 'ends-always');
    const id = await order(userId, [{ email: email! }]);
    let opened = 0;
    const ending = withImap(context.mailTransport, () => {
      opened += 1;
      return {
        search: async () => {
          throw lost();
        },
      };
    });
    const mailTransport = { ...context.mailTransport, ...ending };
    const config = { ...context.config, MAILBOX_PROOF_SECONDS: 1 };
    expect(await page(id, { mailTransport, config })).toMatchObject({ isDone: true });
    const { rows } = await viewOf(userId, id);
    expect(rows).toMatchObject([{ state: 'failed', error_code: 'HOST_UNREACHABLE' }]);
    // It waits between them: a host in trouble is not asked without end.
    expect(opened).toBeGreaterThan(1);
    expect(opened).toBeLessThan(20);
  });
});

describe('a mailbox that is deleted while it is proven', () => {
  it('ends its row, and may be connected again', async () => {
    const userId = await newUser();
    const [email] = await addresses(1, 'deleted');
    const id = await order(userId, [{ email: email! }]);
    const mailTransport = {
      ...context.mailTransport,
      async submit(...of: Parameters<MailTransport['submit']>) {
        const { rows } = await viewOf(userId, id);
        await deleteMailbox(context, { userId, id: rows[0]!.mailbox_id! });
        return context.mailTransport.submit(...of);
      },
    };
    expect(await page(id, { mailTransport })).toMatchObject({ isDone: true });
    const { rows } = await viewOf(userId, id);
    expect(rows).toMatchObject([{ state: 'failed', error_code: 'MAILBOX_NOT_FOUND' }]);
    const again = await order(userId, [{ email: email! }]);
    await page(again);
    expect((await viewOf(userId, again)).counts.connected).toBe(1);
  });
});

describe('what nobody expected', () => {
  it('ends its row alone, without a word of it', async () => {
    const userId = await newUser();
    const [odd, good] = await addresses(2, 'odd');
    const id = await order(userId, [{ email: odd! }, { email: good! }]);
    const mailTransport = {
      ...context.mailTransport,
      openImap: async (access: Parameters<MailTransport['openImap']>[0]) => {
        if (access.email === odd) throw new TypeError(`of ${access.password}`);
        return context.mailTransport.openImap(access);
      },
    };
    expect(await page(id, { mailTransport })).toMatchObject({ isDone: true });
    const { rows } = await viewOf(userId, id);
    expect(rows).toMatchObject([
      { state: 'failed', error_code: 'UNEXPECTED' },
      { state: 'connected' },
    ]);
    expect(rows[0]!.error_message).not.toContain(PASSWORD);
  });

  it('of a database that is away is no end of anything', async () => {
    const userId = await newUser();
    const [email] = await addresses(1, 'away');
    const id = await order(userId, [{ email: email! }]);
    const seal = (): never => {
      throw Object.assign(new Error('gone'), { code: '57P01' });
    };
    const failure = await page(id, { cipher: { ...context.cipher, seal } }).catch(
      (error: unknown) => error,
    );
    expect(failure).not.toBeInstanceOf(ApplicationFailure);
    expect((await viewOf(userId, id)).counts.waiting).toBe(1);
  });
});

describe('login gates', () => {
  it('let so many through at one host, and others do not wait for them', async () => {
    const gates = createLoginGates(2);
    const { signal } = new AbortController();
    let most = 0;
    let now = 0;
    const release: (() => void)[] = [];
    const busy = Array.from({ length: 5 }, () =>
      gates.through(['a', 'b'], signal, async () => {
        most = Math.max(most, (now += 1));
        await new Promise<void>((resolve) => release.push(resolve));
        now -= 1;
      }),
    );
    expect(await gates.through(['c'], signal, async () => 'through')).toBe('through');
    while (release.length > 0) {
      release.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(busy);
    expect(most).toBe(2);
  });

  it('try a host once that has answered nobody, and as often as others once it answers', () => {
    const gates = createLoginGates(2);
    for (let n = 0; n < 3; n += 1) {
      expect(gates.triesAt('a')).toBe(3);
      gates.note('a', false);
    }
    expect([gates.triesAt('a'), gates.triesAt('b')]).toEqual([1, 3]);
    gates.note('a', true);
    expect(gates.triesAt('a')).toBe(3);
  });
});
