/** Leads, campaigns, the inbox and what else a client has on the command line, against the API itself. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../../src/cli/io.ts';
import { runCampaignFlow } from '../../../src/domain/campaigns/flows.ts';
import { addMailbox, addMessage, openMailbox } from '../../support/inbox/inbox-messages.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../../support/campaigns/campaign-users.ts';
import { outreachWith, piping, typing } from '../../support/cli/client.ts';
import { addOperation } from '../../support/workflows/operations.ts';
import { runLeadImport } from '../../support/leads/lead-imports.ts';

let users: CampaignUsers;
let ann: CampaignUser;
let token: string;
let folder: string;

beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
  token = await users.api.jwt(ann.userId);
  folder = await mkdtemp(join(tmpdir(), 'outreach-cli-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await users.close();
});

const outreach = (argv: readonly string[], input?: Parameters<typeof outreachWith>[2]) =>
  outreachWith({ OUTREACH_URL: users.api.url, OUTREACH_API_KEY: token }, argv, input);
/** What a command gives to programs; it must end well. */
const json = async (...argv: string[]) => {
  const { code, out, err } = await outreach([...argv, '--json']);
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${err}`);
  return JSON.parse(out);
};
const file = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

describe('outreach leads import', () => {
  /** What the workflow would do, once the row is there. */
  async function runImport(known: number): Promise<void> {
    const ids = async () =>
      (await users.database.db.selectFrom('lead_imports').select('id').orderBy('id').execute()).map(
        ({ id }) => id,
      );
    await expect.poll(async () => (await ids()).length).toBe(known + 1);
    await runLeadImport(users.database, (await ids()).at(-1)!);
  }

  it('makes the list, follows the import and reports the rows that were refused', async () => {
    const csv = await file(
      'people.csv',
      'Email,First name,Company\nada@acme.test,Ada,Acme\nno address,Bo,Acme\ncy@acme.test,Cy,Acme\n',
    );
    const refused = join(folder, 'refused.csv');
    const argv = ['leads', 'import', csv, '--list', 'Spring', '--errors', refused];
    const importing = outreach(argv);
    await runImport(0);
    const { code, out, err } = await importing;
    expect(code).toBe(0);
    expect(out).toMatch(/^New leads: +2$/m);
    expect(out).toMatch(/^Refused: +1$/m);
    expect(out).toMatch(/^ROW +COLUMN +PROBLEM +AS IT WAS\n3 .*no address, Bo, Acme$/m);
    expect(err).toMatch(/\d\d:\d\d:\d\d {2}\d+ %: /);
    expect(await readFile(refused, 'utf8')).toContain('no address');
    const again = outreach(['leads', 'import', csv, '--list', 'Spring', '--json']);
    await runImport(1);
    const ended = JSON.parse((await again).out);
    expect(ended).toMatchObject({ status: 'completed', importedLeads: 0, foundLeads: 2 });
    expect(ended).toEqual(await ann.ok('GET', `/v1/leads/import/${ended.id}`));
    expect(await json('leads', 'lists')).toMatchObject([{ name: 'Spring', leadsCount: 2 }]);
  });

  it('fails where there is no file, and lists leads by the name of their list', async () => {
    expect(await outreach(['leads', 'import', '/nowhere.csv'])).toMatchObject({
      code: 1,
      err: '/nowhere.csv cannot be read.',
    });
    const listed = await json('leads', 'list', '--list', 'Spring');
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(await ann.ok('GET', `/v1/leads?leadListId=${listed[0].leadListId}`));
    expect((await outreach(['leads', 'list', '--list', 'Spring'])).out).toContain('ada@acme.test');
    expect(await outreach(['leads', 'list', '--list', 'Autumn'])).toMatchObject({
      code: 1,
      err: 'There is no list called Autumn.',
    });
    await ann.ok('POST', '/v1/lead-lists', { name: 'Spring' });
    const { err } = await outreach(['leads', 'list', '--list', 'Spring']);
    expect(err).toMatch(/Several lists are called Spring: say which by --list-id \(\d+, \d+\)/);
  });

  it('exports what the API gives as a file', async () => {
    const output = join(folder, 'leads.csv');
    const { code, out } = await outreach(['leads', 'export', '--output', output]);
    expect([code, out]).toEqual([0, '']);
    const written = await readFile(output, 'utf8');
    expect(written).toMatch(/^\uFEFF.*personEmail/);
    const piped = await outreach(['leads', 'export']);
    expect(`\uFEFF${piped.out}`).toBe(written.trimEnd());
    expect((await outreach(['leads', 'export', '--json'])).code).toBe(2);
  });
});

describe('outreach campaigns', () => {
  it('makes a draft of options and files, and shows what it would send', async () => {
    const [mailbox] = await ann.mailboxes(1);
    const first = await file('first.txt', 'Hi {{firstName|there}}, how is business?');
    const second = await file('second.txt', 'Did my note reach you?');
    const fields = await file('fields.json', JSON.stringify({ name: 'Old', trackOpens: false }));
    const [list] = await json('leads', 'lists');
    const texts = ['--subject', 'Hello', '--body', first, '--follow-up', `3:${second}`];
    const whom = ['--mailbox', String(mailbox), '--list-id', String(list.id)];
    const times = ['--days', 'mon,tue', '--from', '08:00', '--to', '10:00'];
    const create = ['campaigns', 'create', '--fields', fields, '--name', 'New'];
    const made = await json(...create, ...texts, ...whom, ...times);
    expect(made).toMatchObject({
      name: 'New',
      status: 'draft',
      subjectTemplate: 'Hello',
      trackOpens: false,
      assignedMailboxes: [String(mailbox)],
      steps: [{ order: 1, delayDays: 3, bodyTemplate: 'Did my note reach you?' }],
      activeDays: ['mon', 'tue'],
      startTime: '08:00',
    });
    expect(await json('campaigns', 'list')).toEqual(await ann.ok('GET', '/v1/campaigns'));
    const { out } = await outreach(['campaigns', 'preview', String(made.id)]);
    expect(out).toMatch(/^First message: +Hello$/m);
    expect(out).toMatch(/^After 3 days: +/m);
  });

  it("has the account's time zone, unless the options or the file name one", async () => {
    const bea = await users.newUser();
    await bea.ok('PATCH', '/v1/account', { timezone: 'Europe/Berlin' });
    const login = {
      OUTREACH_URL: users.api.url,
      OUTREACH_API_KEY: await users.api.jwt(bea.userId),
    };
    const body = await file('text.txt', 'How is business?');
    const fields = await file('zone.json', JSON.stringify({ timezone: 'Asia/Tokyo' }));
    const zoneOf = async (...more: string[]) => {
      const argv = ['campaigns', 'create', '--name', 'x', '--subject', 'y', '--body', body];
      const { out, err } = await outreachWith(login, [...argv, '--json', ...more]);
      if (out === '') throw new Error(err);
      return JSON.parse(out).timezone;
    };
    expect(await zoneOf()).toBe('Europe/Berlin');
    expect(await zoneOf('--fields', fields)).toBe('Asia/Tokyo');
    expect(await zoneOf('--fields', fields, '--timezone', 'Asia/Dubai')).toBe('Asia/Dubai');
    const scopes = ['campaigns:write'];
    const { key } = await bea.ok('POST', '/api/keys', { name: 'campaigns alone', scopes });
    login.OUTREACH_API_KEY = key;
    expect(await zoneOf()).toBe('America/New_York');
  });

  it('names every field that is missing', async () => {
    const { code, err } = await outreach(['campaigns', 'create', '--name', 'x']);
    expect(code).toBe(1);
    expect(err).toMatch(/^VALIDATION_ERROR: /);
    expect(err).toMatch(/^ {2}subjectTemplate: /m);
    expect(err).toMatch(/^ {2}bodyTemplate: /m);
    expect((await outreach(['campaigns', 'create', '--follow-up', 'soon'])).code).toBe(2);
  });

  it('starts only after a yes, pauses, resumes and counts', async () => {
    const { id } = await ann.campaign({}, 2);
    const start = (input?: Parameters<typeof outreachWith>[2]) =>
      outreach(['campaigns', 'start', String(id)], input);
    const asked = await start(typing('n'));
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('writes to 2 people') });
    expect(asked.err).toContain('The first message: "Hello');
    expect((await start(piping('y'))).code).toBe(2);
    expect((await json('campaigns', 'show', String(id))).status).toBe('draft');
    expect((await start(typing('y'))).out).toMatch(/^Status: +active$/m);
    expect(await json('campaigns', 'pause', String(id))).toMatchObject({ status: 'paused' });
    const resumed = await json('campaigns', 'resume', String(id), '--yes');
    expect(resumed).toMatchObject({ status: 'active' });
    const results = await json('campaigns', 'results', String(id));
    expect(results).toEqual(await ann.ok('GET', `/v1/campaigns/${id}/analytics`));
    expect((await outreach(['campaigns', 'results', String(id)])).out).toMatch(/^Leads: +2$/m);
    const leads = await json('campaigns', 'leads', String(id));
    expect(leads).toEqual(await ann.ok('GET', `/v1/campaigns/${id}/leads`));
  });

  it('says what a start would be refused for', async () => {
    const { id } = await ann.campaign({}, 0);
    const { code, err } = await outreach(['campaigns', 'start', String(id), '--yes']);
    expect([code, err]).toEqual([1, expect.stringMatching(/^CAMPAIGN_NOT_READY: .*\n {2}leads: /)]);
  });
});

describe('outreach inbox', () => {
  it('shows what came in, without what it could do to a terminal', async () => {
    const { db } = users.database;
    const { mailboxId } = await addMailbox(db, ann.userId);
    const { id } = await addMessage(db, {
      userId: ann.userId,
      mailboxId,
      subject: 'Re: \u001B]0;owned\u0007Hello',
      text: 'Yes!\u001B[2J\nTomorrow?',
      fromName: 'Bo \u001B[31mRed',
      kind: 'reply',
    });
    const shown = await outreach(['inbox', 'show', String(id)]);
    expect(shown.out).toMatch(/^Kind: +reply$/m);
    expect(shown.out).toMatch(/\n\nYes! \[2J\nTomorrow\?$/);
    const listed = await outreach(['inbox', 'list', '--kind', 'reply', '--unread']);
    expect(listed.out).toContain('reply');
    // oxlint-disable-next-line no-control-regex -- that is what it is about
    expect(`${shown.out}${listed.out}`).not.toMatch(/[\u001B\u0007]/);
    const thread = await json('inbox', 'show', String(id), '--thread');
    expect(thread).toMatchObject([{ id, text: 'Yes!\u001B[2J\nTomorrow?' }]);
    const { items } = await ann.ok('GET', '/v1/inbox?direction=inbound&kind=reply');
    expect(await json('inbox', 'list', '--kind', 'reply')).toEqual(items);
  });

  it('shows what answers mean, who says so, and lists those that mean something', async () => {
    const { db } = users.database;
    const { mailboxId } = await addMailbox(db, ann.userId);
    const add = async (subject: string, interest: string | null) => {
      const added = { userId: ann.userId, mailboxId, subject, kind: 'reply' };
      const { id } = await addMessage(db, added);
      if (interest !== null) await ann.ok('PATCH', `/v1/inbox/${id}`, { interest });
      return id;
    };
    const meeting = await add('Tomorrow at ten', 'meeting');
    const open = await add('Hm', null);
    const listed = await outreach(['inbox', 'list', '--interest', 'meeting']);
    expect(listed.out).toMatch(/^ID +AT +FROM +KIND +INTEREST +READ +SUBJECT$/m);
    expect(listed.out).toMatch(
      new RegExp(`^${meeting} .* reply +meeting +no +Tomorrow at ten$`, 'm'),
    );
    expect(listed.out).not.toContain('Hm');
    expect((await outreach(['inbox', 'list', '--interest', 'question'])).out).toBe('Nothing.');
    expect((await outreach(['inbox', 'list', '--interest', 'odd'])).code).toBe(2);
    const shown = await outreach(['inbox', 'show', String(meeting)]);
    expect(shown.out).toMatch(/^Interest: +meeting, by a correction$/m);
    expect((await outreach(['inbox', 'show', String(open)])).out).not.toContain('Interest');
  });

  it('replies after a yes, once', async () => {
    const { db } = users.database;
    const { mailboxId, email } = await openMailbox(users.api.context, ann.userId);
    const { id } = await addMessage(db, { userId: ann.userId, mailboxId, subject: 'Soon?' });
    const argv = ['inbox', 'reply', String(id), '--text', 'Yes, at ten.'];
    const no = await outreach(argv, typing(''));
    expect(no.code).toBe(1);
    expect(no.err).toContain(`Replies to ada@client.test from ${email}, about "Soon?":`);
    expect(no.err).toContain('Yes, at ten.');
    const sent = await json(...argv, '--yes', '--idempotency-key', 'r1');
    const again = await json(...argv, '--yes', '--idempotency-key', 'r1');
    expect(again).toEqual(sent);
    expect(sent).toMatchObject({ direction: 'outbound', text: expect.stringContaining('at ten') });
    const text = await file('answer.txt', 'From a file.');
    const fromFile = await json('inbox', 'reply', String(id), '--text-file', text, '--yes');
    expect(fromFile.text).toContain('From a file.');
    expect((await outreach(['inbox', 'reply', String(id), '--yes'])).code).toBe(2);
  });
});

describe('outreach mailboxes', () => {
  it('lists them, and shows no password of those that it makes', async () => {
    expect(await json('mailboxes', 'list', '--all')).toEqual(
      await ann.ok('GET', '/v1/mailboxes?limit=100'),
    );
    const [{ clusterId }] = await json('mailboxes', 'list');
    const passwords = join(folder, 'passwords.json');
    const argv = ['mailboxes', 'create', String(clusterId), 'x@elsewhere.test'];
    const { code, out } = await outreach([...argv, '--passwords', passwords]);
    expect([code, out]).toEqual([1, expect.stringContaining('EMAIL_DOMAIN_MISMATCH')]);
    expect((await stat(passwords)).mode & 0o777).toBe(0o600);
    // Nothing is made where its password could not be kept.
    const nowhere = await outreach([...argv, '--passwords', '/proc/passwords.json']);
    expect(nowhere).toMatchObject({ code: 1, err: '/proc/passwords.json cannot be written.' });
  });
});

describe('outreach operations', () => {
  it('lists, shows and watches them', async () => {
    const listed = await json('operations', 'list', '--resource', 'lead_import');
    expect(listed).toEqual(await ann.ok('GET', '/v1/operations?resourceType=lead_import'));
    const id = String(listed[0].id);
    const watched = await outreach(['operations', 'watch', id]);
    expect(watched).toMatchObject({ code: 0, out: expect.stringMatching(/^State: +completed$/m) });
    await sql`update operations set state = 'failed', error_code = 'IMPORT_FAILED',
      error_message = 'it ended early' where id = ${listed[0].id}`.execute(users.database.db);
    const failed = await outreach(['operations', 'watch', id]);
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('has failed') });
    const refused = await outreach(['operations', 'cancel', id]);
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^INVALID_STATE: /) });
    expect((await outreach(['operations', 'list', '--state', 'odd'])).code).toBe(2);
    const asked = await outreach(['operations', 'retry', id]);
    expect(asked.code).toBe(2);
    expect(asked.err).toContain(`Goes on with operation ${id}`);
    expect(asked.err).toContain('what is left of what was ordered');
    const retried = await outreach(['operations', 'retry', id, '--yes']);
    expect(retried).toMatchObject({ code: 1, err: expect.stringContaining('INVALID_STATE: ') });
  });

  it('asks about the leads of a campaign, and goes on where the key cannot read it', async () => {
    const { id: resourceId } = await ann.campaign({ name: 'Autumn' }, 2);
    const { userId } = ann;
    const given = { userId, workflowId: `campaign/${resourceId}`, resourceId };
    const id = String((await addOperation(users.database.db, runCampaignFlow, given)).id);
    const asked = await outreach(['operations', 'retry', id]);
    expect(asked.err).toContain(`"Autumn" has 2 leads.`);

    const body = { name: 'night shift', scopes: ['operations:write'] };
    const { key } = await ann.ok('POST', '/api/keys', body);
    const environment = { OUTREACH_URL: users.api.url, OUTREACH_API_KEY: key };
    const withKey = (argv: string[], input?: Input) => outreachWith(environment, argv, input);
    const shown = await withKey(['operations', 'retry', id], typing('n'));
    expect(shown.err).toContain(`Goes on with operation ${id}`);
    expect(shown).toMatchObject({ code: 1, err: expect.stringMatching(/Nothing was done\.$/) });
    const retried = await withKey(['operations', 'retry', id, '--yes']);
    expect(retried).toMatchObject({ code: 0, err: expect.stringContaining('Goes on with') });
  });
});

describe('outreach account and domains', () => {
  it('sets what is given and leaves the rest', async () => {
    const changed = await json('account', 'set', '--sender-name', 'Ann of Acme');
    expect(changed).toMatchObject({ senderName: 'Ann of Acme' });
    expect(changed.postalAddress).toContain('1 Main Street');
    expect((await outreach(['account', 'set'])).code).toBe(2);
    expect(await json('domains', 'list', '--all')).toEqual(
      await ann.ok('GET', '/v1/domains?limit=100'),
    );
  });
});
