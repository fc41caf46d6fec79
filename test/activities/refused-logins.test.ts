/** Nobody guesses passwords by us: a host that refuses many is asked no more, and an account has a bound. Choice 157. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailboxImportActivities } from '../../activities/mailboxes/mailbox-imports.ts';
import { countRefusedToday, noteRefusedLogin } from '../../src/db/mailboxes/refused-logins.ts';
import { findLatestOperation } from '../../src/db/operations/operations.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { REFUSED_IN_A_ROW } from '../../src/domain/mailboxes/mailbox-imports.ts';
import type { ImapSession, MailTransport } from '../../src/providers/mail-transport/port.ts';
import { noteUnproven } from '../../src/transactions/mailboxes/connections.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const LIMIT = 60;
const HOST = 'mail.one.test';

let users: CampaignUsers;
let ann: CampaignUser;
/** Addresses that were logged in with, in order. */
let tried: string[];
let isRight: (email: string) => boolean;

beforeAll(async () => {
  users = await startCampaignUsers(
    {},
    { environment: { MAILBOX_REFUSED_LOGINS_PER_DAY: String(LIMIT) } },
  );
});
afterAll(() => users?.close());
beforeEach(async () => {
  ann = await users.newUser();
  tried = [];
  isRight = () => false;
});

const db = () => users.database.db;

/** A host that takes the logins of some, and shows them their message. */
const mailTransport = {
  async openImap({ email }: { email: string }): Promise<ImapSession> {
    tried.push(email);
    if (!isRight(email)) {
      throw new ProviderError('rejected', 'refused', { provider: 'mail', loginReply: 'NO' });
    }
    return {
      folders: async () => [{ path: 'INBOX', role: 'inbox' }],
      open: async () => undefined,
      search: async () => [1],
      remove: async () => undefined,
      idle: async () => undefined,
      close: async () => undefined,
    } as unknown as ImapSession;
  },
  submit: async () => undefined,
} as unknown as MailTransport;

const row = (n: number, host = HOST) => `a${n}.${ann.userId}@one.test,p,${host},${host}`;

async function imported(lines: string[]): Promise<number> {
  const csv = ['email,password,smtpHost,imapHost', ...lines].join('\n');
  return (await ann.ok('POST', '/v1/mailboxes/import', { csv })).id;
}

async function page(importId: number): Promise<void> {
  const operation = await findLatestOperation(db(), 'mailbox_import', importId);
  const logger = pino({ level: 'silent' });
  const dns = { resolveMx: async () => [] } as never;
  const context = { ...users.api.context, mailTransport, logger, dns };
  const input = { importId, operationId: operation!.id, retryPace: 0.01 };
  const activities = mailboxImportActivities(context);
  await activityEnvironment().run((of: typeof input) => activities.connectMailboxRows(of), input);
}

async function codesOf(importId: number): Promise<Record<string, number>> {
  const rows = await db()
    .selectFrom('mailbox_import_rows')
    .select(['state', 'error_code'])
    .where('import_id', '=', importId)
    .execute();
  const codes: Record<string, number> = {};
  for (const { state, error_code: code } of rows) {
    codes[code ?? state] = (codes[code ?? state] ?? 0) + 1;
  }
  return codes;
}

const lines = (count: number, from = 0) => Array.from({ length: count }, (_, n) => row(from + n));

describe('a host that refuses the logins of a file', () => {
  it('is asked no more after so many in a row, and the rows say how to go on', async () => {
    const id = await imported([...lines(40), row(99, 'mail.two.test')]);
    await page(id);
    // Five are under way at once.
    expect(tried.length).toBeGreaterThanOrEqual(REFUSED_IN_A_ROW + 1);
    expect(tried.length).toBeLessThanOrEqual(REFUSED_IN_A_ROW + 5);
    const codes = await codesOf(id);
    expect(codes['NOT_TRIED']).toBe(41 - tried.length);
    expect(codes['LOGIN_REFUSED']).toBe(tried.length);
    expect(tried.some((email) => email.startsWith('a99.'))).toBe(true);
    const rows = await ann.ok('GET', `/v1/mailboxes/import/${id}/rows?limit=100`);
    const { error } = rows.find(
      (each: { error?: { code: string } }) => each.error?.code === 'NOT_TRIED',
    );
    expect(error.message).toMatch(
      /^Not tried: mail\.one\.test has refused 20 logins .* give the file again$/,
    );
    const sealed = await db()
      .selectFrom('mailbox_import_rows')
      .select('row_number')
      .where('import_id', '=', id)
      .where('password', 'is not', null)
      .execute();
    expect(sealed).toEqual([]);
  });

  it('is asked on where it takes some in between', async () => {
    isRight = (email) => Number(/^a(\d+)/.exec(email)![1]) % 10 === 9;
    const id = await imported(lines(40));
    await page(id);
    expect(await codesOf(id)).toEqual({ LOGIN_REFUSED: 36, connected: 4 });
  });

  it('is known to a worker that goes on with the file', async () => {
    const id = await imported(lines(40));
    await db()
      .updateTable('mailbox_import_rows')
      .set({
        state: 'failed',
        error_code: 'LOGIN_REFUSED',
        password: null,
        begun_at: new Date(),
        ended_at: new Date(),
      })
      .where('import_id', '=', id)
      .where('row_number', '<=', REFUSED_IN_A_ROW + 1)
      .execute();
    await page(id);
    expect(tried).toEqual([]);
    expect(await codesOf(id)).toEqual({ LOGIN_REFUSED: 20, NOT_TRIED: 20 });
  });
});

describe('an account whose logins were refused all day', () => {
  const spend = async (count: number) => {
    for (let n = 0; n < count; n += 1) await noteRefusedLogin(db(), ann.userId);
  };
  const connect = () =>
    ann.call('POST', '/v1/mailboxes/connect', {
      email: `c.${ann.userId}@one.test`,
      password: 'p',
      smtp: { host: HOST, port: 465 },
      imap: { host: HOST, port: 993 },
    });
  const seed = () =>
    ann.call('POST', '/v1/placement/seeds', {
      address: 's@one.test',
      provider: 'google',
      password: 'p',
    });

  it('has those of a file not tried, once the bound is reached', async () => {
    await spend(LIMIT - 1);
    const id = await imported(lines(12));
    await page(id);
    expect(tried.length).toBeLessThanOrEqual(5);
    expect((await codesOf(id))['NOT_TRIED']).toBe(12 - tried.length);
  });

  /** The mailbox whose proof its host has refused. */
  const refused = async (): Promise<number> => {
    const { id } = (await connect()).body.data;
    await db()
      .transaction()
      .execute(async (trx) => {
        await noteUnproven(trx, id, { code: 'LOGIN_REFUSED', message: 'no' });
        const finished = { state: 'failed' as const, finished_at: new Date() };
        await trx.updateTable('operations').set(finished).where('resource_id', '=', id).execute();
      });
    return id;
  };

  it('proves anew with the password that is kept', async () => {
    const id = await refused();
    const kept = { password: Buffer.from('kept') };
    await db().updateTable('mailboxes').set(kept).where('id', '=', id).execute();
    await spend(LIMIT);
    const { status } = await ann.call('PATCH', `/v1/mailboxes/${id}/connection`, {});
    expect(status).toBe(200);
  });

  it('tries no further password until the next day', async () => {
    const id = await refused();
    expect(await countRefusedToday(db(), ann.userId)).toBe(1);
    const seedId = (await seed()).body.data.id;
    await spend(LIMIT - 1);
    const patch = (path: string) => ann.call('PATCH', path, { password: 'another' });
    const answers = [
      await connect(),
      await patch(`/v1/mailboxes/${id}/connection`),
      await seed(),
      await patch(`/v1/placement/seeds/${seedId}`),
    ];
    const now = new Date();
    const leftSeconds = (new Date(now).setUTCHours(24, 0, 0, 0) - now.getTime()) / 1_000;
    for (const { status, body, headers } of answers) {
      expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
      const waitSeconds = Number(headers.get('retry-after'));
      // Until midnight, as a client that is told of a long wait gives up at once.
      expect(waitSeconds).toBeGreaterThan(leftSeconds - 1);
      expect(waitSeconds).toBeLessThan(leftSeconds + 60);
    }
    const bob = await users.newUser();
    expect(await countRefusedToday(db(), bob.userId)).toBe(0);
    await db()
      .updateTable('refused_logins')
      .set({ day: '2020-01-01' } as never)
      .execute();
    expect((await patch(`/v1/mailboxes/${id}/connection`)).status).toBe(200);
  });
});
