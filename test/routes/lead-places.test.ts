/** Lists by cursor, search by index, and what a lead was before it was suppressed. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { listLeads } from '../../src/db/leads/pages/lead-pages.ts';
import {
  addSuppressions,
  removeSuppression,
} from '../../src/services/suppressions/suppressions.ts';
import { startLeadWorld, type LeadUser, type LeadWorld } from '../support/leads/lead-users.ts';

let world: LeadWorld;
beforeAll(async () => {
  world = await startLeadWorld();
});
afterAll(() => world.close());

/** Names on all pages, by cursor; one more row comes in after the first page. */
async function walk(user: LeadUser, path: string, name: string, addOne: () => Promise<unknown>) {
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await user.call('GET', `${path}limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.map((row: Record<string, string>) => row[name]));
    if (cursor === '') await addOne();
    cursor = body.meta.pagination.nextCursor;
  } while (cursor !== null);
  return seen;
}

describe('cursors', () => {
  it.each(['', 'sort=name&order=desc&'])('go on behind a row: %s', async (order) => {
    const user = await world.newUser();
    const { id } = await user.ok('POST', '/v1/lead-lists', { name: 'Spring' });
    for (const name of ['Acme', 'Bolt', 'Cask', 'Dust', 'Envy']) await user.add(name, [name], id);
    const add = (name: string) => () => user.add(name, [name], id);
    const names = ['Envy', 'Dust', 'Cask', 'Bolt', 'Acme'];
    expect(await walk(user, `/v1/companies?${order}`, 'name', add('Zeta'))).toEqual(names);
    const list = `/v1/lead-lists/${id}`;
    const all = ['Zeta', ...names];
    expect(await walk(user, `${list}/companies?${order}`, 'name', add('Zulu'))).toEqual(all);
    const more = ['Zulu', 'Zeta', ...names];
    expect(await walk(user, `${list}/leads?${order}`, 'personFirstName', add('Zyx'))).toEqual(more);
  });
});

describe('a suppression', () => {
  const leadWith = async (status: string) => {
    const user = await world.newUser();
    const { ids } = await user.add('Acme', ['Ann']);
    const { db } = world.database;
    await db
      .updateTable('leads')
      .set({ status: status as 'replied' })
      .execute();
    const entry = { kind: 'email', value: 'ann@acme.example', reason: 'manual' } as const;
    const { rows } = await addSuppressions({ db }, user.userId, [{ ...entry, note: null }]);
    const statusNow = async () => (await user.ok('GET', `/v1/leads/${ids[0]}`)).status;
    expect(await statusNow()).toBe('suppressed');
    return { user, id: ids[0]!, suppressionId: rows[0]!.id, statusNow };
  };

  it.each(['pending', 'contacted', 'replied'])(
    'that is lifted leaves the lead as it was: %s (choice 17)',
    async (status) => {
      const { user, suppressionId, statusNow } = await leadWith(status);
      // No campaign is to be woken.
      const context = world.database as unknown as Parameters<typeof removeSuppression>[0];
      await removeSuppression(context, user.userId, { id: suppressionId });
      expect(await statusNow()).toBe(status);
    },
  );

  it('does not follow a lead to another address, nor takes what it was', async () => {
    const { user, id, statusNow } = await leadWith('replied');
    await user.ok('PATCH', `/v1/leads/${id}`, { personEmail: 'ann@new.example' });
    expect(await statusNow()).toBe('replied');
  });
});

describe('a search among many leads', () => {
  it('reads the index of each table, and not all leads', async () => {
    const user = await world.newUser();
    const { db } = world.database;
    await sql`insert into leads (user_id, first_name, last_name, name_key, email, email_key)
      select ${user.userId}, 'Ada' || n, 'Lovelace', 'ada' || n, 'a' || n || '@x.example',
        'a' || n || '@x.example' from generate_series(1, 5000) as n`.execute(db);
    await user.add('Babbage Engines', ['Charles']);
    const owner = openDatabase(world.database.ownerUrl, { poolSize: 1 });
    await sql`vacuum analyze leads, companies`.execute(owner);
    await owner.destroy();
    const search = { filter: { search: 'ada4711' }, limit: 20 } as const;
    const order = { sort: 'createdAt', order: 'desc' } as const;
    const found = await listLeads(db, user.userId, { ...search, order });
    const company = await listLeads(db, user.userId, {
      ...search,
      filter: { search: 'bbage eng' },
      order,
    });
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain
      select id from leads where user_id = ${user.userId}
        and (first_name || ' ' || last_name || chr(10) || coalesce(email, '')) ilike '%ada4711%'`.execute(
      db,
    );
    const { rows: byName } = await sql<{ 'QUERY PLAN': string }>`explain
      select * from leads where user_id = ${user.userId} order by name_key, id limit 20`.execute(
      db,
    );
    const plan = (lines: typeof rows) => lines.map((line) => line['QUERY PLAN']).join('\n');
    expect(found.map((lead) => lead.first_name)).toEqual(['Ada4711']);
    expect(company.map((lead) => lead.first_name)).toEqual(['Charles']);
    expect(plan(rows)).toContain('leads_search_texts');
    expect(plan(byName)).toContain('leads_name');
    expect(plan(byName)).not.toContain('Sort');
  });
});
