/** POST /v1/leads/import and what it tells: files as programs write them, rows as people do. */
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { runLeadImport } from '../support/leads/lead-imports.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { startInRows } from '../support/workflows/start-in-rows.ts';
import { withoutRunKey } from '../support/workflows/run-keys.ts';

const { api, database } = describeApi(() => ({
  context: { temporal, startOperation: startInRows(() => database) } as unknown as Partial<Context>,
}));
let token: string;
let user = 0;
const signals: string[] = [];

const temporal = {
  withDeadline: (_deadline: number, work: () => unknown) => work(),
  workflow: {
    getHandle: (id: string) => ({
      signal: async (signal: { name: string }) =>
        signals.push(`${signal.name} ${withoutRunKey(id)}`),
    }),
  },
};

beforeEach(async () => {
  token = await api.jwt(`user-${(user += 1)}`);
});

const csv = (body: string | Uint8Array, query = '', type = 'text/csv') =>
  api.call('POST', `/v1/leads/import${query}`, { token, body, headers: { 'content-type': type } });

const json = (body: object) => api.call('POST', '/v1/leads/import', { token, body });

/** The import's state once its workflow is done. */
async function imported(answer: { status: number; body: { data: { id: number } } }) {
  expect(answer).toMatchObject({ status: 201 });
  const { id } = answer.body.data;
  await runLeadImport(database, id);
  return (await api.call('GET', `/v1/leads/import/${id}`, { token })).body.data;
}

const errorsOf = async (id: number): Promise<string[][]> =>
  parse((await api.call('GET', `/v1/leads/import/${id}/errors`, { token })).body, {
    relax_column_count: true,
  });

/** Leads of the user as [email, first, last, company]. */
const people = async () => {
  const { rows } = await sql<{ line: (string | null)[] }>`
    select array[email, first_name, last_name, c.name] as line
    from leads l left join companies c on c.id = l.company_id
    where l.user_id = ${`user-${user}`} order by l.id`.execute(database.db);
  return rows.map(({ line }) => line);
};

describe('POST /v1/leads/import', () => {
  it.each([
    ['text/csv; charset=windows-1250', [0x9c, 0xb9], 'śą'],
    ['text/csv;header=present; Charset="Windows-1251"', [0xcf, 0xf0, 0xe8], 'При'],
    ['text/csv; charset=utf-8', [0x5a, 0x6f, 0xeb], 'Zoë'],
  ])('reads a file of %s', async (type, bytes, name) => {
    const head = 'email,first name,company\na@acme.test,';
    const file = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(',Acme\n')]);
    await imported(await csv(file, '', type));
    expect(await people()).toEqual([['a@acme.test', name, '', 'Acme']]);
  });

  it.each(['klingon', 'utf-7', ''])('refuses a charset that it does not know: %s', async (name) => {
    const answer = await csv('email\na@acme.test\n', '', `text/csv; charset=${name}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(answer.body.error).toContain(`charset of Content-Type is not known: ${name}`);
  });

  it('keeps the names of a file in UTF-8 where one row is not', async () => {
    const rows =
      'email,first name,company\na@acme.test,Jürgen,Acme\nb@acme.test,Zoë,Acme\nc@acme.test,';
    const file = Buffer.concat([Buffer.from(rows), Buffer.from('René,Acme\n', 'latin1')]);
    await imported(await csv(file));
    expect((await people()).map(([, first]) => first)).toEqual(['Jürgen', 'Zoë', 'René']);
  });

  it('starts a job that tells how many rows there are and what each column was taken for', async () => {
    const file = 'Vorname;Nachname;E-Mail;Firma;Kommentar\nAda;Lovelace;ada@acme.de;Acme GmbH;x\n';
    const { status, body } = await csv(file, '?fileName=leads.csv&source=fair');
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: 'processing',
      fileName: 'leads.csv',
      source: 'fair',
      leadListId: null,
      columns: {
        personFirstName: 'Vorname',
        personLastName: 'Nachname',
        personEmail: 'E-Mail',
        companyName: 'Firma',
      },
      ignoredColumns: ['Kommentar'],
      totalRows: 1,
      processedRows: 0,
      progressPercent: 0,
    });
  });

  it('imports the rows and counts what became of each', async () => {
    const file =
      'first name,last name,email,company\n' +
      'Ada,Lovelace,ada@acme.com,Acme\n' +
      'Ada,Lovelace,ADA@acme.com,Acme\n' +
      'Bob,Broken,not an address,Acme\n' +
      ',,,\n' +
      'Eve,Empty,,Acme\n';
    const done = await imported(await csv(file));
    expect(done).toMatchObject({
      status: 'completed',
      totalRows: 4,
      processedRows: 4,
      importedLeads: 1,
      foundLeads: 1,
      differingLeads: 0,
      importedCompanies: 1,
      foundCompanies: 0,
      skippedItems: 2,
      failedRows: 2,
      progressPercent: 100,
      error: null,
    });
    expect(await people()).toEqual([['ada@acme.com', 'Ada', 'Lovelace', 'Acme']]);
    expect(await errorsOf(done.id)).toEqual([
      ['row', 'column', 'problem', 'first name', 'last name', 'email', 'company'],
      ['4', 'email', 'is not a valid e-mail address', 'Bob', 'Broken', 'not an address', 'Acme'],
      [
        '6',
        '',
        'has no e-mail address, telephone number or profile URL',
        'Eve',
        'Empty',
        '',
        'Acme',
      ],
    ]);
  });

  it('takes no business for a person: neither the company’s own name, nor one that shows it', async () => {
    const pizza = "Joe's Pizza & Grill – Downtown";
    await imported(
      await csv(
        `company,name,email\n${pizza},${pizza},joe@joes.example\n` +
          'Blue Bottle,blue bottle,hi@blue.example\nBolt,Jean & Marie,jm@bolt.example\n',
      ),
    );
    const names = [
      pizza,
      'Studio 54',
      'Muster GmbH',
      '"Acme, Inc."',
      'Anna-Lena Groß',
      "Sinéad O'Neil",
      'Maria Sá',
    ];
    const rows = names.map((name, n) => `${name},p${n}@gmail.com,`);
    await imported(await csv(`name,email,website\n${rows.join('\n')}\n`));
    expect(await people()).toEqual([
      ['joe@joes.example', '', '', pizza],
      ['hi@blue.example', '', '', 'Blue Bottle'],
      ['jm@bolt.example', 'Jean & Marie', '', 'Bolt'],
      ['p0@gmail.com', '', '', pizza],
      ['p1@gmail.com', '', '', 'Studio 54'],
      ['p2@gmail.com', '', '', 'Muster GmbH'],
      ['p3@gmail.com', '', '', 'Acme, Inc.'],
      ['p4@gmail.com', 'Anna-Lena', 'Groß', null],
      ['p5@gmail.com', 'Sinéad', "O'Neil", null],
      ['p6@gmail.com', 'Maria', 'Sá', null],
    ]);
  });

  it('reads its own error file again once it was corrected', async () => {
    const first = await imported(await csv('email,name\nok@acme.com,Ok\nbad,Bad One\n'));
    const file = (await api.call('GET', `/v1/leads/import/${first.id}/errors`, { token })).body;
    const again = await imported(await csv(file.replace(',bad,', ',good@acme.com,')));
    expect(again).toMatchObject({ importedLeads: 1, failedRows: 0 });
  });

  it('says where each field comes from: Spec: Lead, provenance', async () => {
    await imported(await csv('email\n\nada@acme.com\n', '?fileName=fair.csv'));
    const lead = await database.db
      .selectFrom('leads')
      .select(['provenance', 'source'])
      .where('user_id', '=', `user-${user}`)
      .executeTakeFirstOrThrow();
    expect(lead.provenance.fields).toMatchObject({
      '*': { source: 'csv', url: 'fair.csv, row 3' },
    });
    expect(lead.provenance.import).toMatchObject({ importId: expect.any(Number) });
  });

  it('puts the companies into the list', async () => {
    const list = await aList();
    await imported(await csv('email,company\nada@acme.com,Acme\n', `?leadListId=${list}`));
    const companies = await companiesOf(list);
    expect(companies).toEqual(['Acme']);
  });

  it('finds a company for everybody in a list, since lists are made of companies', async () => {
    const list = await aList();
    const file =
      'email,name,website\nada@acme.com,Ada L,\nbob@gmail.com,Bob B,\nx@gmail.com,,\n' +
      'c@gmail.com,C D,https://www.other.de/about\n';
    await imported(await csv(file, `?leadListId=${list}`));
    expect(await companiesOf(list)).toEqual(['Bob B', 'acme.com', 'other.de', 'x@gmail.com']);
    await imported(await csv(file.replaceAll('gmail', 'yahoo')));
    expect((await people()).at(-1)).toEqual(['c@yahoo.com', 'C', 'D', 'other.de']);
    expect((await people()).find(([email]) => email === 'bob@yahoo.com')?.[3]).toBe(null);
  });

  it('fills a second list with companies and leads of its own: choice 53', async () => {
    const [one, two] = [await aList(), await aList()];
    const file = 'email,company,first name,last name\nada@acme.com,Acme,Ada,Lovelace\n';
    const load = async (list: number, text = file) =>
      imported(await csv(text, `?leadListId=${list}`));
    const isNew = { importedLeads: 1, foundLeads: 0, importedCompanies: 1, foundCompanies: 0 };
    const isKnown = { importedLeads: 0, foundLeads: 1, importedCompanies: 0, foundCompanies: 1 };
    expect(await load(one)).toMatchObject(isNew);
    expect(await load(two)).toMatchObject(isNew);
    expect(await load(two)).toMatchObject({ ...isKnown, differingLeads: 0 });
    for (const list of [one, two]) expect(await companiesOf(list)).toEqual(['Acme']);
    const other = await load(two, file.replace('Ada,Lovelace', 'Bob,Ray'));
    expect(other).toMatchObject({ ...isKnown, differingLeads: 1 });
    expect(other.message).toContain('1 of those known keep something else than their row says');
  });

  it('fails when no row becomes a lead: rule 3', async () => {
    const done = await imported(await csv('email,company\nnobody,Acme\n'));
    expect(done).toMatchObject({ status: 'failed', error: { code: 'NO_LEADS_IMPORTED' } });
    expect(await companiesOf(null)).toEqual([]);
  });

  it('keeps nothing of the file once it is read', async () => {
    await imported(await csv('email,company\nada@acme.com,Acme\nbob,Acme\n'));
    const { count } = await database.db
      .selectFrom('lead_import_parts')
      .innerJoin('lead_imports', 'id', 'import_id')
      .where('user_id', '=', `user-${user}`)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(0);
  });

  it('is done once per Idempotency-Key, also when the first process died', async () => {
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'file-1' };
    const ask = () =>
      api.call('POST', '/v1/leads/import', { token, body: 'email\na@b.de\n', headers });
    const first = await ask();
    await database.db.deleteFrom('idempotency_keys').execute();
    expect((await ask()).body.data.id).toBe(first.body.data.id);
  });
});

describe('the file', () => {
  const row = ['Zoë', 'Müller', 'zoe@acme.de', 'Müller "&" Söhne; KG'];
  const text = `Vorname,Nachname,E-Mail,Firma\r\n${row
    .map((cell) => `"${cell.replaceAll('"', '""')}"`)
    .join(',')}\r\n`;
  const expected = [['zoe@acme.de', 'Zoë', 'Müller', 'Müller "&" Söhne; KG']];
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 little endian', utf16],
    ['UTF-16 big endian', Buffer.from(utf16).swap16()],
    ['Windows-1252', Buffer.from(text, 'latin1')],
  ])('may be %s', async (_name, body) => {
    await imported(await csv(body));
    expect(await people()).toEqual(expected);
  });

  it.each([
    ['semicolons', 'email;company\na@acme.de;"Acme; Inc, Ltd"\n', 'Acme; Inc, Ltd'],
    ['tabs', 'email\tcompany\na@acme.de\tAcme, Inc\n', 'Acme, Inc'],
    ['pipes', 'email|company\na@acme.de|Acme, Inc\n', 'Acme, Inc'],
    ["Excel's sep line", 'sep=;\nemail;company, inc\na@acme.de;x\n', 'acme.de'],
    ['quoted newlines', 'email,company\na@acme.de,"Acme\nBerlin"\n', 'Acme\nBerlin'],
    ['old line ends', 'email,company\ra@acme.de,Acme\r', 'Acme'],
    ['notes above the header', 'Notes:\n"from, us"\n\nemail,company\na@acme.de,Acme\n', 'Acme'],
    ['blanks before quotes', 'email, company\na@acme.de, "Acme, Inc"\n', 'Acme, Inc'],
  ])('may have %s', async (_name, body, company) => {
    await imported(await csv(body));
    expect((await people()).map(([, , , name]) => name)).toEqual([company]);
  });

  it('may come in JSON', async () => {
    const body = { csv: '\uFEFFemail,company\na@acme.de,Acme\n', source: 'crm', fileName: 'x.csv' };
    const done = await imported(await json(body));
    expect(done).toMatchObject({ source: 'crm', fileName: 'x.csv', importedLeads: 1 });
  });

  it('may name its delimiter and its columns', async () => {
    const file = 'x;a, b;Mail (old);Mail\nAda;L;old@acme.com;new@acme.com\n';
    const mapping = { personEmail: 'mail', personFirstName: 'x' };
    const query = `?delimiter=semicolon&mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
    const done = await imported(await csv(file, query));
    expect(done.columns).toEqual({ personEmail: 'Mail', personFirstName: 'x' });
    expect(await people()).toEqual([['new@acme.com', 'Ada', '', 'acme.com']]);
    const other = await imported(await json({ csv: file, delimiter: ';', mapping }));
    expect(other).toMatchObject({ foundLeads: 1 });
  });

  it('loses no row to a ragged one or to a stray quotation mark', async () => {
    const file =
      'email,company,city\na@acme.de,"Acme,Berlin\nb@acme.de\nc@acme.de,Acme,Berlin,more\n' +
      'd@acme.de,Acme,Berlin,,\ne@acme.de,"Acme" Inc,Berlin\n';
    const done = await imported(await csv(file));
    expect(done).toMatchObject({ totalRows: 5, importedLeads: 4, failedRows: 1 });
    expect((await errorsOf(done.id))[1]).toEqual([
      '4',
      '',
      'has 4 cells where the header has 3',
      'c@acme.de',
      'Acme',
      'Berlin',
      'more',
    ]);
  });
});

describe('a refused file', () => {
  it.each([
    ['nothing', '', 'csv is empty'],
    ['blank lines', '\n , \n\n', 'csv is empty'],
    ['a header alone', 'email,name\n\n', 'csv has no rows below its header'],
    ['no contact column', 'name,city\nAda,Berlin\n', 'Its columns are: name, city'],
    ['too many rows', `email\n${'a@b.de\n'.repeat(100_001)}`, 'csv has more than 100,000 rows'],
  ])('has %s', async (_name, file, words) => {
    const { status, body } = await csv(file);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(body.error).toContain(words);
  });

  it.each([
    ['.xlsx', [0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0, 0xff, 0x9c]],
    ['.xls', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ])('is a workbook (%s)', async (_name, bytes) => {
    const { status, body } = await csv(Uint8Array.from(bytes));
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(body.error).toContain('csv is a workbook (.xlsx or .xls): save the sheet as CSV');
  });

  it('is larger than 10 MB, as file and as JSON', async () => {
    const large = 'x'.repeat(10 * 1_048_576 + 1);
    for (const answer of [await csv(large), await json({ csv: large })]) {
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'The body is larger than 10 MB' },
      });
    }
  });

  it.each([
    [{ personMail: 'x' }, 'mapping has unknown fields: personMail'],
    [
      { personEmail: 'mail' },
      'mapping.personEmail: the file has no column "mail"; it has: email, name',
    ],
    [{ personFirstName: 'name' }, 'mapping must name at least one of personEmail'],
    [{ personEmail: 7 }, 'mapping.personEmail must be a string'],
  ])('is asked for columns it does not have: %j', async (mapping, words) => {
    const file = 'email,name\na@b.de,Ada\n';
    const query = `?mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
    for (const { status, body } of [await csv(file, query), await json({ csv: file, mapping })]) {
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(body.error).toContain(words);
    }
  });

  it.each(['?mapping=x', '?delimiter=dot', '?leadListId=x', '?source='])(
    'comes with %s',
    async (query) => {
      const { status, body } = await csv('email\na@b.de\n', query);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );

  it('is for a list that is missing or somebody else’s', async () => {
    const list = await aList();
    token = await api.jwt(`user-${(user += 1)}`);
    for (const id of [list, 999_999]) {
      const { status, body } = await csv('email\na@b.de\n', `?leadListId=${id}`);
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'LEAD_LIST_NOT_FOUND' });
    }
  });

  it('is neither CSV nor JSON', async () => {
    const { status, body } = await csv('email\na@b.de\n', '', 'image/png');
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_INPUT' });
  });
});

describe('the other routes of imports', () => {
  it('list a user’s own, newest first, by status', async () => {
    const first = await imported(await csv('email\na@b.de\n'));
    const second = (await csv('email\nb@b.de\n')).body.data;
    const { body } = await api.call('GET', '/v1/leads/import', { token });
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
    expect(body.meta.pagination).toMatchObject({ total: 2 });
    const done = await api.call('GET', '/v1/leads/import?status=completed', { token });
    expect(done.body.data).toEqual([first]);
  });

  it('cancel one: what was imported stays, and again changes nothing', async () => {
    const { id } = (await csv('email\na@b.de\n')).body.data;
    const cancel = () => api.call('POST', `/v1/leads/import/${id}/cancel`, { token });
    expect(await cancel()).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    expect(await cancel()).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    expect(signals).toEqual([`cancel lead-import/${id}`]);
    await runLeadImport(database, id);
    expect(await people()).toEqual([]);
    const left = database.db.selectFrom('lead_import_parts').where('import_id', '=', id);
    expect(await left.selectAll().execute()).toEqual([]);
  });

  it('refuse to cancel one that has ended', async () => {
    const { id } = await imported(await csv('email\na@b.de\n'));
    const { status, body } = await api.call('POST', `/v1/leads/import/${id}/cancel`, { token });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_STATE' });
  });

  it.each([
    ['GET', ''],
    ['GET', '/errors'],
    ['POST', '/cancel'],
  ])('answer 404 to %s /v1/leads/import/:id%s of somebody else', async (method, path) => {
    const { id } = (await csv('email\na@b.de\n')).body.data;
    token = await api.jwt(`user-${(user += 1)}`);
    for (const each of [id, 999_999]) {
      const answer = await api.call(method, `/v1/leads/import/${each}${path}`, { token });
      expect(answer).toMatchObject({ status: 404, body: { code: 'LEAD_IMPORT_NOT_FOUND' } });
    }
  });

  it('make no formula of a cell in the error file', async () => {
    const { id } = await imported(await csv('email,a,b\nok@b.de,,\n=1+1,@x,+49 30 123\n'));
    const [, row] = await errorsOf(id);
    expect(row?.slice(3)).toEqual(["'=1+1", "'@x", '+49 30 123']);
  });
});

async function aList(): Promise<number> {
  // The user exists from their first request on.
  await api.call('GET', '/v1/leads/import', { token });
  const { id } = await database.db
    .insertInto('lead_lists')
    .values({ user_id: `user-${user}`, name: 'A list' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function companiesOf(list: number | null): Promise<string[]> {
  const query = database.db
    .selectFrom('companies')
    .select('name')
    .where('user_id', '=', `user-${user}`)
    .orderBy('name');
  const rows = await (list === null ? query : query.where('lead_list_id', '=', list)).execute();
  return rows.map(({ name }) => name);
}
