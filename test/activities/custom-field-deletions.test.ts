/** The values of a deleted field are removed to the end, wherever the worker dies. Choice 99. */
import { beforeEach, describe, expect, it } from 'vitest';
import { customFieldDeletionActivities } from '../../activities/leads/custom-field-deletions.ts';
import type { Context } from '../../src/context.ts';
import { hideCustomField } from '../../src/db/leads/custom-fields.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { dieAt } from '../support/database/mortal-process.ts';

const { api, database } = describeApi(() => ({
  context: { startOperation: async () => true } as unknown as Partial<Context>,
}));
let token: string;
let userId: string;
let users = 0;

beforeEach(() => begin());

async function begin(): Promise<void> {
  userId = `user-${(users += 1)}`;
  token = await api.jwt(userId);
}

async function ok(method: string, path: string, body?: object) {
  const answer = await api.call(method, path, { token, ...(body && { body }) });
  if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

const define = async (name: string, type: string): Promise<number> =>
  (await ok('POST', '/v1/custom-fields', { name, type })).id;

/** More than two portions; every second one has a value of another field, too. */
const PEOPLE = 6;
const portions = { portion: 2 };

/**
 * A number field that is deleted and that people still have, all but the first one: they have the new one of its name.
 */
async function deletedField(): Promise<number> {
  const [id, kept] = [await define('size', 'number'), await define('kept', 'text')];
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    firstName: `P${n}`,
    lastName: 'X',
    email: `p${n}@acme.com`,
    custom: [
      { id, name: 'size', value: n },
      ...(n % 2 === 0 ? [{ id: kept, name: 'kept', value: 'this' }] : []),
    ],
  }));
  const group = { company: { name: 'Acme' }, people };
  await importGroups(database.db, { userId, leadListId: null, source: null, groups: [group] });
  // A request would remove these few values by itself.
  await database.db.transaction().execute((trx) => hideCustomField(trx, { id, type: 'number' }));
  await define('size', 'text');
  const leads: { id: number; personFirstName: string }[] = await ok('GET', '/v1/leads');
  const first = leads.find(({ personFirstName }) => personFirstName === 'P0')!;
  await ok('PATCH', `/v1/leads/${first.id}`, { custom: { size: 'large' } });
  return id;
}

/** What clients see of each: the same before, meanwhile and afterwards. */
const SEEN = {
  P0: { kept: 'this', size: 'large' },
  P1: {},
  P2: { kept: 'this' },
  P3: {},
  P4: { kept: 'this' },
  P5: {},
};

async function seen(): Promise<Record<string, object>> {
  const leads: { personFirstName: string; custom: object }[] = await ok('GET', '/v1/leads');
  return Object.fromEntries(leads.map((lead) => [lead.personFirstName, lead.custom]));
}

/** What is left in the database of the field, and how many leads have no value at all. */
async function left(fieldId: number) {
  const { db } = database;
  const leads = await db
    .selectFrom('leads')
    .where('user_id', '=', userId)
    .select('custom')
    .execute();
  const rows = await db
    .selectFrom('custom_fields')
    .where('id', '=', fieldId)
    .select('id')
    .execute();
  const indexed = db.selectFrom('custom_values').where('field_id', '=', fieldId);
  return {
    leads: leads.filter(({ custom }) => custom !== null && String(fieldId) in custom).length,
    values: (await indexed.select('lead_id').execute()).length,
    rows: rows.length,
    without: leads.filter(({ custom }) => custom === null).length,
  };
}

const GONE = { leads: 0, values: 0, rows: 0, without: 3 };

const removal = (db: Context['db'], customFieldId: number) =>
  customFieldDeletionActivities({ db }, portions).removeCustomValuePortions({ customFieldId });

describe('a worker that dies', () => {
  it('at any moment leaves whole portions, and the next one removes the rest', async () => {
    const moments: string[] = [];
    for (let at = 0; ; at += 1) {
      await begin();
      const id = await deletedField();
      const moment = await dieAt(database.db, at, ({ db }) => removal(db, id));
      const now = await left(id);
      moments.push(moment ?? 'alive');
      // The index of values and the leads say the same; the row goes with the last value.
      expect([at, moment, now.values, now.rows]).toEqual([
        at,
        moment,
        now.leads,
        Number(now.leads > 0),
      ]);
      expect([5, 3, 1, 0]).toContain(now.leads);
      expect(await seen()).toEqual(SEEN);
      expect(await removal(database.db, id)).toMatchObject({ isDone: true });
      expect([moment, await left(id), await seen()]).toEqual([moment, GONE, SEEN]);
      if (moment === undefined) break;
    }
    // Three portions, each a transaction of several statements.
    expect(moments.filter((one) => one === 'before a commit')).toHaveLength(3);
    expect(moments.filter((one) => one === 'after a commit')).toHaveLength(3);
    expect(moments.filter((one) => one.endsWith('Node')).length).toBeGreaterThanOrEqual(12);
    expect(moments.slice(-2)).toEqual(['before anybody is told', 'alive']);
  });

  it('again and again is followed by one that has nothing left to do', async () => {
    const id = await deletedField();
    let deaths = 0;
    for (let at = 1; (await left(id)).rows > 0; at += 2) {
      const moment = await dieAt(database.db, at, ({ db }) => removal(db, id));
      deaths += Number(moment !== undefined);
    }
    expect(deaths).toBeGreaterThan(3);
    expect([await left(id), await seen()]).toEqual([GONE, SEEN]);
    const repeat = { isDone: true, progress: '0 values removed' };
    expect(await removal(database.db, id)).toEqual(repeat);
  });
});
