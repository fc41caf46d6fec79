/**
 * A password that is kept is said to no server that somebody names later: whoever may change a login may not read it.
 * Choice 105.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionActivities } from '../../activities/mailboxes/connections.ts';
import type { Context } from '../../src/context.ts';
import { listSeedLogins } from '../../src/db/placement/placement-seeds.ts';
import { SEALED_COLUMNS } from '../../src/transactions/sealed-columns.ts';
import { noteProven } from '../../src/transactions/mailboxes/connections.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { startLoginListener, type LoginListener } from '../support/mail/login-listener.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const PASSWORD = 'canary-kept-9Tz';
const [OWN, OTHER] = ['mail.own.test', 'mail.other.test'];
const SMTP = { host: OWN, port: 465 };
const IMAP = { host: OWN, port: 993 };

let users: CampaignUsers;
let ann: CampaignUser;
let listener: LoginListener;
let context: Context;

beforeAll(async () => {
  listener = await startLoginListener([OWN, OTHER, 'smtp.gmail.com', 'imap.gmail.com']);
  users = await startCampaignUsers();
  context = { ...users.api.context, mailTransport: listener.transport };
});
afterAll(async () => {
  await users?.close();
  await listener?.close();
});
beforeEach(async () => {
  ann = await users.newUser();
  listener.heard.length = 0;
});

/** Where the password was heard, in the clear or as SASL has it: the place, and all that was said. */
const heardAt = () =>
  listener.heard.flatMap((line) => {
    const sasl = line.split(' ').map((word) => Buffer.from(word, 'base64').toString());
    const said = [line, ...sasl].join(' ');
    return said.includes(PASSWORD) ? [said] : [];
  });

/** Under the user name and at the servers that it was given for. */
const isElsewhere = (said: string) =>
  !/^mail\.own\.test:(465|993) /.test(said) || /other/.test(said);

/** A kept password: which requests could name another server for it, and what logs in afterwards. */
interface KeptPassword {
  newOne(): Promise<number>;
  pathOf(id: number): string;
  login(id: number): Promise<unknown>;
  changes: [string, object][];
}

const proven = (id: number) =>
  context.db.transaction().execute(async (trx) => {
    const finished = { state: 'succeeded' as const, finished_at: new Date() };
    await trx.updateTable('operations').set(finished).where('resource_id', '=', id).execute();
    await noteProven(trx, id);
  });

const mailbox: KeptPassword = {
  async newOne() {
    const order = { email: `${ann.userId}@own.test`, password: PASSWORD, smtp: SMTP, imap: IMAP };
    const { id } = await ann.ok('POST', '/v1/mailboxes/connect', order);
    await proven(id);
    return id;
  },
  pathOf: (id) => `/v1/mailboxes/${id}/connection`,
  login(mailboxId) {
    const input = { operationId: 1, mailboxId };
    const activities = connectionActivities(context);
    return activityEnvironment().run(
      (of: typeof input) => activities.checkConnectedLogins(of),
      input,
    );
  },
  changes: [
    ['username', { username: 'other' }],
    ['smtp.host', { smtp: { ...SMTP, host: OTHER } }],
    ['smtp.port', { smtp: { ...SMTP, port: 2525, tls: 'tls' } }],
    ['smtp.tls', { smtp: { ...SMTP, tls: 'starttls' } }],
    ['imap.host', { imap: { ...IMAP, host: OTHER } }],
    ['imap.port', { imap: { ...IMAP, port: 143, tls: 'tls' } }],
    ['imap.tls', { imap: { ...IMAP, tls: 'starttls' } }],
    ['smtp.host', { preset: 'google' }],
  ],
};

const seed: KeptPassword = {
  newOne: async () => {
    const order = { address: 's@own.test', provider: 'other', password: PASSWORD, imap: IMAP };
    return (await ann.ok('POST', '/v1/placement/seeds', order)).id;
  },
  pathOf: (id) => `/v1/placement/seeds/${id}`,
  async login(id) {
    const [found] = await listSeedLogins(context, [id]);
    await listener.transport.checkImap(found!.access);
  },
  changes: [
    ['username', { username: 'other' }],
    ['imap.host', { imap: { ...IMAP, host: OTHER } }],
    ['imap.port', { imap: { ...IMAP, port: 143, tls: 'tls' } }],
    ['imap.tls', { imap: { ...IMAP, tls: 'starttls' } }],
  ],
};

/** By sealed column. A string: why no request can send it to a server of another name. */
const KEPT: Record<string, KeptPassword | string> = {
  'mailboxes.password': mailbox,
  'mailboxes.next_password':
    'no request changes a login whose proof runs, and it is over with that',
  'placement_seeds.password': seed,
  'mailbox_import_rows.password': 'no request changes a row of a file',
  'role_mailboxes.password': 'they live on hosts of ours',
};

it('knows every column that keeps a password', () => {
  const columns = SEALED_COLUMNS.filter(({ column }) => column.includes('password'));
  const names = columns.map(({ table, column }) => `${table}.${column}`);
  expect(Object.keys(KEPT).toSorted()).toEqual(names.toSorted());
});

const cases = Object.entries(KEPT).flatMap(([column, kept]) =>
  typeof kept === 'string' ? [] : kept.changes.map((change) => [column, ...change, kept] as const),
);

describe('a request without the password', () => {
  it.each(cases)('does not take that of %s elsewhere by %s: %j', async (_, field, body, kept) => {
    const id = await kept.newOne();
    const { status, body: answer } = await ann.call('PATCH', kept.pathOf(id), body);
    await kept.login(id).catch(() => undefined);
    expect(heardAt().filter(isElsewhere)).toEqual([]);
    expect([status, answer.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.details).toMatchObject([{ field: 'password' }]);
    expect(answer.details[0].message).toContain(field);
  });

  it.each(cases)('may do so where %s is given anew: %s %j', async (_, _field, body, kept) => {
    const path = kept.pathOf(await kept.newOne());
    const { status } = await ann.call('PATCH', path, { ...body, password: 'another' });
    expect(status).toBe(200);
  });

  it('proves the login that is in use once more, or names the same, and may rename it', async () => {
    const id = await mailbox.newOne();
    const same = { smtp: SMTP, imap: IMAP, username: `${ann.userId}@own.test` };
    for (const body of [{}, same, { preset: null }]) {
      listener.heard.length = 0;
      await ann.ok('PATCH', mailbox.pathOf(id), body);
      await mailbox.login(id);
      expect(heardAt().filter(isElsewhere)).toEqual([]);
      expect(heardAt()).toHaveLength(2);
      expect((await ann.call('PATCH', mailbox.pathOf(id), body)).body.code).toBe('INVALID_STATE');
      await proven(id);
    }
    await ann.ok('PATCH', seed.pathOf(await seed.newOne()), { provider: 'zoho' });
  });
});
