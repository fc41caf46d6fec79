/** Erasing a person: nothing that can be read stays, and no import or edit brings them back. GDPR, article 17. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { tablesWith } from '../support/database/database-search.ts';
import { addMessage, addMailbox, readCounts } from '../support/inbox/inbox-messages.ts';
import { runLeadImport } from '../support/leads/lead-imports.ts';
import { addSend } from '../support/campaigns/sends.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({
  context: { startOperation: async () => true } as unknown as Partial<Context>,
}));
let token: string;
let userId: string;
let users = 0;

beforeEach(async () => {
  userId = `user-${(users += 1)}`;
  token = await api.jwt(userId);
  await api.call('GET', '/v1/account', { token });
});

const call = async (method: string, path: string, body?: object) => {
  const answer = await api.call(method, path, { token, body });
  return { status: answer.status, code: answer.body.code, ...answer.body };
};

const zelda = {
  firstName: 'Zelda',
  lastName: 'Quixworth',
  email: 'zelda@quixmail.example',
  phone: '+49 30 7654321',
  social_profile_url: 'https://linkedin.com/in/zeldaqx',
  role: 'CEO',
};
const colleague = { firstName: 'Bob', lastName: 'Stays', email: 'bob@acme.example' };

/** Adds Zelda and Bob; her lead's id. */
async function addLeads(company = 'Acme'): Promise<number> {
  const people = [zelda, colleague];
  const { data } = await call('POST', '/v1/leads', { company_name: company, people });
  return data.leads[0].id;
}

const emails = async (): Promise<(string | null)[]> => {
  const rows = await database.db
    .selectFrom('leads')
    .select('email')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ email }) => email);
};

async function upload(csv: string): Promise<number> {
  const { data } = await call('POST', '/v1/leads/import', { csv });
  return data.id;
}

describe('POST /v1/leads/:id/erase', () => {
  it('leaves nothing in the database that speaks of the person, wherever it stood', async () => {
    const list = await call('POST', '/v1/lead-lists', { name: 'A list' });
    const id = await addLeads();
    await call('POST', '/v1/suppressions', { email: zelda.email, note: 'Zelda Quixworth asked' });
    // Failed rows: one with her address, one whose address is broken.
    const failed = await upload(
      'email,first,last\nok@x.example,A,B\nx,Zelda,Quixworth\n' +
        'y,zelda@quixmail.example,\nz,Other,Person\n',
    );
    await runLeadImport(database, failed);
    // A file that is not read yet.
    const waiting = await upload(
      'email,name\na@x.example,A B\nZELDA@quixmail.example,Zelda Quixworth\nc@x.example,C D\n',
    );
    // A company that is only she.
    await call('POST', '/v1/leads/import', { csv: 'email\nq@q.de\n' });
    const own = await upload('email,phone,name\n,+49307654321,Zelda Quixworth\n');
    await database.db
      .updateTable('lead_imports')
      .set({ lead_list_id: list.data.id })
      .where('id', '=', own)
      .execute();
    await runLeadImport(database, own);
    await seedDiscovery();
    await seedMaps();
    await seedValidation();
    await seedMessages(id);
    expect((await tablesWith(database, 'quixmail')).length).toBeGreaterThan(5);

    const { status, data, message } = await call('POST', `/v1/leads/${id}/erase`);
    expect({ status, data }).toEqual({
      status: 200,
      data: {
        leads: 2,
        companies: 1,
        suppressions: 1,
        importErrors: 2,
        importRows: 1,
        discoveryContacts: 1,
        discoveryCompanies: 3,
        boughtContacts: 1,
        mapsItems: 1,
        emailValidations: 1,
        letters: 4,
        sends: 2,
        events: 1,
        warmupLetters: 1,
      },
    });
    expect(message).toBe('The person was erased and is not stored again');
    for (const text of ['zelda', 'quix', '7654321']) {
      expect([text, await tablesWith(database, text)]).toEqual([text, []]);
    }
    expect(await tablesWith(database, 'bob@acme.example')).not.toEqual([]);
    const left = await call('GET', '/v1/inbox');
    expect(left.data.items).toMatchObject([
      {
        from: 'bob@acme.example',
        subject: 'About (erased)',
        snippet: 'Ask (erased) <(erased)> or (erased).',
      },
    ]);
    const { kept, counted, wrong } = await readCounts(database.db, userId);
    expect([kept, wrong]).toEqual([counted, 0]);

    await runLeadImport(database, waiting);
    const done = (await call('GET', `/v1/leads/import/${waiting}`)).data;
    expect(done).toMatchObject({ status: 'completed', importedLeads: 2, skippedItems: 1 });
    const errors = await api.call('GET', `/v1/leads/import/${failed}/errors`, { token });
    expect(errors.body).toContain('z,Other,Person');
  });

  it('finds addresses whose domain has letters beyond ASCII, in both notations', async () => {
    const person = { firstName: 'Zelda', lastName: 'Quixworth', email: 'Zelda@müller.example' };
    const people = [person, colleague];
    const { data } = await call('POST', '/v1/leads', { company_name: 'Acme', people });
    const [{ id: leadId }, { id: bobsId }] = data.leads;
    const { db } = database;
    const { mailboxId } = await addMailbox(db, userId);
    const mail = { userId, mailboxId, leadId };
    await addMessage(db, { ...mail, from: 'zelda@müller.example', text: 'Call me' });
    await addMessage(db, { ...mail, to: [person.email], text: 'Hello' });
    const text = 'Ask <Zelda@müller.example>, or zelda@xn--mller-kva.example';
    const about = await addMessage(db, { ...mail, from: colleague.email, text, subject: text });
    const toBob = await addSend(db, { userId, leadId: bobsId });
    await sql`insert into send_texts (send_id, from_name, to_address, subject, body_text, reference_ids, written_at)
      values (${toBob}, 'Ann', ${colleague.email}, 'Hello', ${text}, '{}', now())`.execute(db);
    // To a lead that was deleted, whose address was not kept.
    const earlier = await addSend(db, { userId, leadId: bobsId });
    await sql`update sends set lead_id = 1000000, email_key = null,
      recipient_domain = 'müller.example' where id = ${earlier}`.execute(db);
    await sql`insert into warmup_letters (from_mailbox_id, to_address, message_id, planned_at)
      values (${mailboxId}, 'zelda@müller.example', '<w2@x.test>', now())`.execute(db);

    expect(await call('POST', `/v1/leads/${leadId}/erase`)).toMatchObject({
      data: { leads: 1, letters: 4, sends: 2, warmupLetters: 1 },
    });
    for (const word of ['müller', 'mller-kva']) {
      expect([word, await tablesWith(database, word)]).toEqual([word, []]);
    }
    const left = await db
      .selectFrom('messages')
      .select(['id', 'body_text'])
      .where('user_id', '=', userId)
      .execute();
    expect(left).toEqual([{ id: about.id, body_text: 'Ask <(erased)>, or (erased)' }]);
  });

  it('takes a company along that was only the person, and a number that was hers', async () => {
    const groups = [
      { company: { name: 'Zelda Quixworth' }, people: [zelda] },
      {
        company: { name: 'Bob Inc', phone: '030 1111111' },
        people: [{ ...colleague, phone: '+49301111111' }],
      },
    ];
    await importGroups(database.db, { userId, leadListId: null, source: null, groups });
    for (const email of [zelda.email, colleague.email]) {
      expect(await call('POST', '/v1/erasures', { email })).toMatchObject({
        data: { leads: 1, companies: 1 },
      });
    }
    const companies = await database.db
      .selectFrom('companies')
      .select(['name', 'phone'])
      .where('user_id', '=', userId)
      .execute();
    expect(companies).toEqual([{ name: 'Bob Inc', phone: null }]);
  });

  it('is 404 for somebody else’s lead, and after it was erased', async () => {
    const id = await addLeads();
    const mine = token;
    token = await api.jwt('somebody-else');
    const missing = { status: 404, code: 'LEAD_NOT_FOUND' };
    expect(await call('POST', `/v1/leads/${id}/erase`)).toMatchObject(missing);
    token = mine;
    expect(await call('POST', `/v1/leads/${id}/erase`)).toMatchObject({ status: 200 });
    expect(await call('POST', `/v1/leads/${id}/erase`)).toMatchObject(missing);
  });
});

describe('an erased person', () => {
  it.each([
    ['the address, written otherwise', { email: 'Zelda@QuixMail.example', phone: '', name: 'Z,Q' }],
    ['the number and the name', { email: '', phone: '0049 30 7654321', name: 'Zelda,Quixworth' }],
  ])('does not come back by a file with %s', async (_name, { email, phone, name }) => {
    const id = await addLeads();
    await call('POST', `/v1/leads/${id}/erase`);
    const import_ = await upload(
      `email,phone,first,last\n${email},${phone},${name}\nn@x.example,,N,N\n`,
    );
    await runLeadImport(database, import_);
    const { data } = await call('GET', `/v1/leads/import/${import_}`);
    expect(data).toMatchObject({ importedLeads: 1, skippedItems: 1 });
    expect(await emails()).toEqual(['bob@acme.example', 'n@x.example']);
  });

  it('does not come back by hand', async () => {
    const id = await addLeads();
    await call('POST', `/v1/leads/${id}/erase`);
    const again = { company_name: 'New', people: [{ ...zelda, phone: undefined }] };
    expect(await call('POST', '/v1/leads', again)).toMatchObject({ code: 'PEOPLE_ERASED' });
    expect(await emails()).toEqual(['bob@acme.example']);
  });

  it('does not come back by a suppression, and counts as suppressed', async () => {
    const id = await addLeads();
    await call('POST', `/v1/leads/${id}/erase`);
    for (const body of [{ email: zelda.email }, { entries: [{ email: zelda.email }] }]) {
      expect(await call('POST', '/v1/suppressions', body)).toMatchObject({
        status: 201,
        data: { created: 0, erased: 1, suppressions: [] },
      });
    }
    expect(await tablesWith(database, 'quixmail')).toEqual([]);
    const { data } = await call('POST', '/v1/suppressions/check', { emails: [zelda.email] });
    expect(data).toEqual([
      { email: zelda.email, isSuppressed: true, reason: 'erasure', suppressionId: null },
    ]);
  });

  it('is erased in one account only', async () => {
    const id = await addLeads();
    await call('POST', `/v1/leads/${id}/erase`);
    userId = `user-${(users += 1)}`;
    token = await api.jwt(userId);
    await addLeads();
    expect(await emails()).toEqual([zelda.email, colleague.email]);
    const other = await call('POST', '/v1/erasures', { email: zelda.email });
    expect(other).toMatchObject({ status: 201, data: { leads: 1 } });
  });

  it('is not stored by imports that run at the same moment', async () => {
    const id = await addLeads();
    const groups = [{ company: { name: 'Acme' }, people: [{ ...zelda, phone: null }] }];
    await Promise.all([
      ...Array.from({ length: 10 }, () =>
        importGroups(database.db, { userId, leadListId: null, source: null, groups }),
      ),
      call('POST', `/v1/leads/${id}/erase`),
    ]);
    expect(await emails()).toEqual(['bob@acme.example']);
  });
});

describe('what others were sent', () => {
  const ann = { firstName: 'Ann', lastName: 'Lee', email: 'ann@old.example' };

  it('keeps its address where the person is named, or where a word only sounds like them', async () => {
    const people = [ann, colleague];
    const added = await call('POST', '/v1/leads', { company_name: 'Acme', people });
    const [annsId, bobsId] = added.data.leads.map(({ id }: { id: number }) => id);
    const subjects = ['Your fleece jackets', 'Ann Lee sends me', 'Hello, Ann Lee'];
    const sends: number[] = [];
    for (const [n, subject] of subjects.entries()) {
      const leadId = n < 2 ? bobsId : annsId;
      const sendId = await addSend(database.db, { userId, leadId });
      await sql`update sends set subject = ${subject}, smtp_reply = '250 sleek',
        rejection = '550 <ann@old.example> is unknown' where id = ${sendId}`.execute(database.db);
      sends.push(sendId);
    }
    const { data } = await call('POST', `/v1/leads/${annsId}/erase`);
    expect(data).toMatchObject({ leads: 1, sends: 3 });

    const rows = await database.db
      .selectFrom('sends')
      .select(['email_key', 'recipient_domain', 'subject', 'smtp_reply', 'rejection'])
      .where('id', 'in', sends)
      .orderBy('id')
      .execute();
    const toBob = { email_key: colleague.email, recipient_domain: 'example' };
    const words = { smtp_reply: '250 sleek', rejection: '550 <(erased)> is unknown' };
    expect(rows).toEqual([
      { ...toBob, ...words, subject: 'Your fleece jackets' },
      { ...toBob, ...words, subject: '(erased) sends me' },
      {
        email_key: null,
        recipient_domain: '(erased)',
        subject: '',
        smtp_reply: null,
        rejection: null,
      },
    ]);
    const unsubscribed = { kind: 'unsubscribed', at: new Date() } as const;
    await database.db
      .transaction()
      .execute((trx) => recordSendOutcome(trx, sends[0]!, unsubscribed));
    expect((await call('GET', `/v1/leads/${bobsId}`)).data.status).toBe('unsubscribed');
    expect((await call('GET', '/v1/suppressions')).data).toMatchObject([
      { value: colleague.email, reason: 'unsubscribe' },
    ]);
  });
});

describe('the colleagues of an erased person', () => {
  const page = { social_profile_url: 'https://www.facebook.com/acme' };
  const { phone } = zelda;
  const first = { ...zelda, ...page };
  const bob = { ...colleague, phone, ...page };

  it('can be changed, posted again and added, with the same number and page', async () => {
    const added = await call('POST', '/v1/leads', { company_name: 'Acme', people: [first, bob] });
    expect(added.data.leads).toHaveLength(2);
    const [{ id }, { id: bobsId }] = added.data.leads;
    expect(await call('POST', `/v1/leads/${id}/erase`)).toMatchObject({ data: { leads: 1 } });
    const changed = await call('PATCH', `/v1/leads/${bobsId}`, { personEmail: 'b2@acme.example' });
    expect(changed).toMatchObject({ status: 200 });
    const cy = { firstName: 'Cy', lastName: 'New', phone, ...page };
    const again = { company_name: 'Acme', people: [{ ...bob, email: 'b2@acme.example' }, cy] };
    expect(await call('POST', '/v1/leads', again)).toMatchObject({ status: 201 });
    expect(await emails()).toEqual(['b2@acme.example', null]);
    const back = { company_name: 'Acme', people: [{ ...first, email: undefined }] };
    expect(await call('POST', '/v1/leads', back)).toMatchObject({ code: 'PEOPLE_ERASED' });
  });

  it('keep their rows in files that are not read yet', async () => {
    const id = await addLeads();
    const file = await upload(
      `name,phone\nZelda Quixworth,${phone}\nBob Stays,${phone}\nCy New,${phone}\n`,
    );
    expect(await call('POST', `/v1/leads/${id}/erase`)).toMatchObject({ data: { importRows: 1 } });
    await runLeadImport(database, file);
    const { data } = await call('GET', `/v1/leads/import/${file}`);
    expect(data).toMatchObject({ importedLeads: 2, skippedItems: 1 });
  });
});

it('is not brought back by a file that knows the country of the number', async () => {
  const person = { firstName: 'Zelda', lastName: 'Quixworth', phone: '030 7654321' };
  const { data } = await call('POST', '/v1/leads', { company_name: 'Acme', people: [person] });
  await call('POST', `/v1/leads/${data.leads[0].id}/erase`);
  const file = await upload(
    'first,last,phone,company,country\nZelda,Quixworth,030 7654321,Acme,DE\nA,B,030 7654321,Acme,DE\n',
  );
  await runLeadImport(database, file);
  const done = await call('GET', `/v1/leads/import/${file}`);
  expect(done.data).toMatchObject({ importedLeads: 1, skippedItems: 1 });
});

it('is not kept by a validation of the address', async () => {
  await call('POST', '/v1/erasures', { email: zelda.email });
  const body = { emails: ['ok@x.example', 'Zelda@quixmail.example'] };
  const { data, status } = await call('POST', '/v1/email-validation/bulk', body);
  expect(status).toBe(201);
  expect(await tablesWith(database, 'quixmail')).toEqual([]);
  const results = await call('GET', `/v1/email-validation/bulk/${data.id}/results`);
  expect(results.data).toMatchObject([
    { email: 'ok@x.example', status: 'pending' },
    { email: '(erased)', status: 'unknown', reason: 'erased' },
  ]);
});

it('is not in answers that were kept to be given again', async () => {
  const headers = { 'idempotency-key': 'one' };
  const body = { company_name: 'Acme', people: [zelda] };
  const post = () => api.call('POST', '/v1/leads', { token, body, headers });
  const first = await post();
  await call('POST', `/v1/leads/${first.body.data.leads[0].id}/erase`);
  expect(await post()).toMatchObject({ status: 400, body: { code: 'ANSWER_ERASED' } });
});

describe('POST /v1/erasures', () => {
  it.each([
    [{ email: 'ZELDA@quixmail.example' }],
    [{ phone: '+49307654321' }],
    [{ socialProfileUrl: 'www.linkedin.com/in/ZeldaQX/' }],
  ])('finds the person by %j', async (key) => {
    await addLeads();
    expect(await call('POST', '/v1/erasures', key)).toMatchObject({
      status: 201,
      data: { leads: 1 },
    });
    expect(await emails()).toEqual(['bob@acme.example']);
  });

  it('works ahead for somebody who is not there yet', async () => {
    const { status, message } = await call('POST', '/v1/erasures', { email: zelda.email });
    expect(status).toBe(201);
    expect(message).toBe('Nobody was found; whoever comes with this is not stored');
    await addLeads();
    expect(await emails()).toEqual(['bob@acme.example']);
  });

  it('erases all leads that are the person', async () => {
    const twin = { ...zelda, email: 'zelda@other.example' };
    const people = [zelda, twin, colleague];
    await call('POST', '/v1/leads', { company_name: 'Acme', people });
    expect(await emails()).toHaveLength(3);
    expect(await call('POST', '/v1/erasures', { email: zelda.email })).toMatchObject({
      data: { leads: 2 },
    });
    expect(await emails()).toEqual(['bob@acme.example']);
  });

  it('does not guess whom a switchboard means', async () => {
    const people = [zelda, { ...colleague, phone: zelda.phone }];
    await call('POST', '/v1/leads', { company_name: 'Acme', people });
    const { status, code, details } = await call('POST', '/v1/erasures', { phone: zelda.phone });
    expect({ status, code }).toEqual({ status: 400, code: 'AMBIGUOUS_PERSON' });
    expect(details).toHaveLength(2);
    expect(await emails()).toHaveLength(2);
  });

  it.each([{}, { email: 'a@b.de', phone: '+4930123456' }, { email: 'x' }, { phone: 'x' }])(
    'refuses %j',
    async (body) => {
      const { status, code } = await call('POST', '/v1/erasures', body);
      expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );
});

async function seedDiscovery(): Promise<void> {
  const { db } = database;
  await sql`
    with process as (
      insert into lead_processes (user_id, search_term, lead_count, countries)
      values (${userId}, 'shoes', 10, '{DE}') returning id),
    company as (
      insert into lead_process_companies (process_id, key, name, ad_id, vendor)
      select id, 'k', 'Acme', 'ad', 'meta' from process returning id, process_id)
    insert into lead_process_contacts
      (process_id, company_id, email, first_name, last_name, source)
    select process_id, id, unnest(${[zelda.email, colleague.email]}::text[]),
      unnest(${['Zelda', 'Bob']}::text[]), unnest(${['Quixworth', 'Stays']}::text[]), 'hunter'
    from company`.execute(db);
  // Her own business, one with her number, and an ad of hers that is not read yet.
  await sql`
    with process as (select max(id) as id from lead_processes where user_id = ${userId}),
    ad as (
      insert into lead_process_ads (process_id, ad_id, vendor, page_id, page_name)
      select id, '1', 'meta', '2', 'Zelda Quixworth' from process)
    insert into lead_process_companies (process_id, key, name, domain, website, phone, ad_id, vendor)
    select id, 'zelda-quixworth.example', 'Zelda Quixworth', 'zelda-quixworth.example',
      'https://zelda-quixworth.example', null, '3', 'meta' from process
    union all
    select id, 'k2', 'Called Inc', null, null, '+49 30 7654321', '4', 'meta' from process`.execute(
    db,
  );
  const people = [zelda, colleague].map(({ firstName, lastName, email }) => ({
    firstName,
    lastName,
    email,
    position: null,
    phone: null,
    profileUrl: null,
  }));
  await sql`insert into contact_purchases (user_id, vendor, domain, state, attempt, people)
    values (${userId}, 'hunter', 'acme.example', 'answered', 'a', ${JSON.stringify(people)})`.execute(
    db,
  );
}

async function seedMaps(): Promise<void> {
  const page = 'https://acme.example/team/zelda-quixworth';
  const contacts = {
    emails: [
      { email: zelda.email, kind: 'personal', page, form: 'mailto', name: 'Zelda Quixworth' },
      { email: colleague.email, kind: 'personal', page: 'https://acme.example', form: 'text' },
    ],
    phones: [{ phone: '+49307654321', page, form: 'tel', isFax: false }],
    profiles: [{ network: 'linkedin', url: 'https://www.linkedin.com/in/zeldaqx', page }],
    contactPages: [page],
    pages: ['https://acme.example', page],
    checks: { [zelda.email]: { status: 'valid', score: 95, reason: 'ok', checkedAt: 'now' } },
  };
  await sql`
    with run as (
      insert into maps_runs (user_id, provider, status_message, search, scrape_contacts,
        verify_emails, total_queries, enrich_wanted)
      values (${userId}, 'apify', '', '{}', true, true, 1, true) returning id)
    insert into maps_items (run_id, place_id, title, phone, is_closed, contacts)
    select id, 'p1', 'Acme', '030 7654321', false, ${JSON.stringify(contacts)} from run`.execute(
    database.db,
  );
}

async function seedValidation(): Promise<void> {
  await sql`
    with job as (
      insert into email_validation_jobs (user_id, kind, total) values (${userId}, 'bulk', 1)
      returning id)
    insert into email_validation_items (job_id, email, email_key)
    select id, 'Zelda@quixmail.example', ${zelda.email} from job`.execute(database.db);
}

/** Messages from her, to her and about her; what was sent to her, and an event that names her. */
async function seedMessages(leadId: number): Promise<void> {
  const { db } = database;
  const { mailboxId } = await addMailbox(db, userId);
  const mail = { userId, mailboxId, leadId };
  const from = await addMessage(db, { ...mail, from: 'Zelda@quixmail.example', fromName: 'Zelda' });
  await addMessage(db, { ...mail, threadId: from.threadId, to: ['zelda@quixmail.example'] });
  const text = 'Ask Quixworth, Zelda <zelda@quixmail.example> or +49 30 7654321.';
  const about = await addMessage(db, {
    ...mail,
    from: 'bob@acme.example',
    subject: 'About Zelda Quixworth',
    text,
    html: `<p>${text}</p>`,
    facts: { recipient: 'zelda@quixmail.example' },
  });
  for (const message of [from, about]) {
    await sql`insert into attachments (message_id, part, filename, content_type, size_bytes)
      values (${message.id}, '2', 'cv_zelda_quixworth.pdf', 'application/pdf', 1)`.execute(db);
  }
  const sendId = await addSend(db, { userId, leadId });
  await sql`update sends set subject = 'A question, Zelda', recipient_domain = 'quixmail.example',
    smtp_reply = '250 ok for zelda@quixmail.example' where id = ${sendId}`.execute(db);
  const { rows } = await sql<{ id: number }>`select id from leads
    where user_id = ${userId} and email = ${colleague.email}`.execute(db);
  const toBob = await addSend(db, { userId, leadId: rows[0]!.id });
  await sql`insert into send_texts (send_id, from_name, to_address, subject, body_text, reference_ids, written_at)
    values (${sendId}, 'Ann', 'Zelda@quixmail.example', 'A question, Zelda', 'Dear Zelda', '{}', now()),
      (${toBob}, 'Ann', ${colleague.email}, 'About Zelda Quixworth', ${text}, '{}', now())`.execute(
    db,
  );
  await sql`insert into events (user_id, type, resource, payload)
    values (${userId}, 'email.sent', 'lead/1', '{"to": "zelda@quixmail.example"}')`.execute(db);
  await sql`insert into warmup_letters (from_mailbox_id, to_address, message_id, planned_at)
    values (${mailboxId}, 'zelda@quixmail.example', '<w@x.test>', now())`.execute(db);
}
