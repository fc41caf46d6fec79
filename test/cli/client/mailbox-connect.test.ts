/** Mailboxes that live elsewhere on the command line of a client, against the API itself. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCampaignUsers, type CampaignUsers } from '../../support/campaigns/campaign-users.ts';
import { outreachWith, piping, typing } from '../../support/cli/client.ts';

const PASSWORD = 'canary of a command 3Tz';

let users: CampaignUsers;
let token: string;
let folder: string;

beforeAll(async () => {
  users = await startCampaignUsers({
    mailboxOauth: {
      google: { name: 'google', consentUrl: async () => 'https://consent.test/now' } as never,
    },
  });
  const { userId } = await users.newUser();
  token = await users.api.jwt(userId);
  folder = await mkdtemp(join(tmpdir(), 'outreach-cli-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await users.close();
});

const outreach = (argv: readonly string[], input?: Parameters<typeof outreachWith>[2]) =>
  outreachWith({ OUTREACH_URL: users.api.url, OUTREACH_API_KEY: token }, argv, input);

/** What the proof would write. */
const proven = (email: string) =>
  users.database.db.transaction().execute(async (trx) => {
    const { id } = await trx
      .updateTable('mailboxes')
      .set({ status: 'active' })
      .where('email', '=', email)
      .returning('id')
      .executeTakeFirstOrThrow();
    const over = { state: 'succeeded' as const, finished_at: new Date() };
    await trx
      .updateTable('operations')
      .set(over)
      .where('kind', '=', 'connectMailbox')
      .where('resource_id', '=', id)
      .execute();
  });

describe('outreach mailboxes connect', () => {
  it('asks for the password without showing it, and follows the proof', async () => {
    const asked = typing(PASSWORD);
    const argv = ['mailboxes', 'connect', '--email', 'ann@typed.test', '--preset', 'google'];
    const connecting = outreach([...argv, '--watch'], asked);
    await expect
      .poll(() => proven('ann@typed.test').catch((error: unknown) => error))
      .toBe(undefined);
    const { code, out, err } = await connecting;
    expect([code, asked.questions]).toEqual([0, [['Password of ann@typed.test: ', true]]]);
    expect(out).toMatch(/^State: +proven$/m);
    expect(out + err).not.toContain(PASSWORD);
  });

  it('prints the address to open where the owner consents by OAuth, and asks for no password', async () => {
    const argv = ['mailboxes', 'connect', '--email', 'cy@typed.test', '--oauth', 'google'];
    const { code, out } = await outreach(argv);
    expect(code).toBe(0);
    expect(out).toMatch(/^Open: +https:\/\/consent\.test\/now$/m);
    const both = await outreach([...argv, '--preset', 'google']);
    expect(both.code).toBe(2);
  });

  it('takes it from stdin, and servers by their names', async () => {
    const servers = ['--smtp', 'smtp.own.test:587', '--imap', 'imap.own.test'];
    const argv = ['mailboxes', 'connect', '--email', 'bea@piped.test', ...servers];
    const { code, out } = await outreach([...argv, '--json'], piping(`${PASSWORD}\n`));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      state: 'proving',
      smtp: { host: 'smtp.own.test', port: 587 },
      imap: { host: 'imap.own.test', port: 993 },
    });
    expect(out).not.toContain(PASSWORD);
  });

  it.each([
    ['no password', ['--preset', 'google'], piping('\n'), 'The password is empty.'],
    ['a password as an argument', ['--password', 'x'], piping('p'), "unknown option '--password'"],
    ['a port that is not for mail', ['--smtp', 'a.test:22'], piping('p'), 'a.test:22 is no host'],
    ['nobody to ask', ['--preset', 'google'], undefined, 'There is no password'],
  ])('refuses %s', async (_what, options, input, words) => {
    const argv = ['mailboxes', 'connect', '--email', 'x@refused.test', ...options];
    const { code, err } = await outreach(argv, input);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});

describe('outreach mailboxes import', () => {
  const fileOf = async (name: string, ...rows: string[]): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, ['email,password,preset', ...rows].join('\n'));
    return file;
  };
  /** What the job would write. */
  async function ends(fileName: string, code: string | null): Promise<void> {
    const { db } = users.database;
    const find = () =>
      db.selectFrom('mailbox_imports').select('id').where('file_name', '=', fileName).execute();
    await expect.poll(async () => (await find()).length).toBe(1);
    const [{ id }] = (await find()) as [{ id: number }];
    await sql`update mailbox_import_rows set password = null, ended_at = now(), error_code = ${code},
      error_message = ${code && 'It said no.'}::text,
      state = case when ${code}::text is null then 'connected' else 'failed' end
      where import_id = ${id} and state = 'waiting'`.execute(db);
    await sql`update mailbox_imports set status = 'completed' where id = ${id}`.execute(db);
  }

  it('follows it, and ends well where all are connected', async () => {
    const file = await fileOf(
      'all.csv',
      `a@all.test,${PASSWORD},google`,
      `b@all.test,${PASSWORD},google`,
    );
    const importing = outreach(['mailboxes', 'import', file]);
    await ends('all.csv', null);
    const { code, out, err } = await importing;
    expect(code).toBe(0);
    expect(out).toMatch(/^Connected: +2$/m);
    expect(err).toContain('100 %: 2 of 2 rows are over: 2 connected.');
    expect(out + err).not.toContain(PASSWORD);
  });

  it('names rows that are not connected, and fails', async () => {
    const file = await fileOf('some.csv', `c@some.test,${PASSWORD},google`, `d@some.test,,google`);
    const importing = outreach(['mailboxes', 'import', file]);
    await ends('some.csv', 'LOGIN_REFUSED');
    const { code, out, err } = await importing;
    expect(code).toBe(1);
    expect(out).toMatch(/^ROW +ADDRESS +CODE +WHY\n2 +c@some\.test +LOGIN_REFUSED +It said no\.$/m);
    expect(out).toMatch(/^3 +d@some\.test +VALIDATION_ERROR +password is required$/m);
    expect(err).toContain('2 mailboxes not connected.');
  });

  it('gives the counts to programs', async () => {
    const file = await fileOf('json.csv', `e@json.test,${PASSWORD},google`);
    const importing = outreach(['mailboxes', 'import', file, '--json']);
    await ends('json.csv', null);
    const { out } = await importing;
    expect(JSON.parse(out)).toMatchObject({ status: 'completed', counts: { connected: 1 } });
  });
});
