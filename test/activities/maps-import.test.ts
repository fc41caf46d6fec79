/**
 * The import of places: every option, the cap, provenance, repeats. Spec: Maps scraper; choices 33, 60.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tombstoneHash } from '../../src/db/leads/lead-locks.ts';
import type { Context } from '../../src/context.ts';
import type { FoundEmail } from '../../src/domain/discovery/contacts.ts';
import type { ImportOptions } from '../../src/domain/maps/maps.ts';
import type { MapsRun } from '../../src/db/maps/maps-runs.ts';
import type { Place } from '../../src/providers/maps/port.ts';
import { presentImport } from '../../src/routes/maps/maps-presenters.ts';
import { eraseByKey } from '../../src/services/suppressions/erasures.ts';
import { beginMapsImport, importMapsRun } from '../../src/services/maps/maps-imports.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import {
  fakeMaps,
  importOrder,
  openMapsWorld,
  place,
  places,
  type MapsWorld,
} from '../support/leads/maps-world.ts';

let world: MapsWorld;
beforeEach(async () => {
  world = await openMapsWorld();
});
afterEach(() => world.close());

/** A run whose places are saved and enriched. */
async function enriched(found: Place[], change: { verifyEmails?: boolean } = {}): Promise<MapsRun> {
  world.maps = { apify: fakeMaps('apify', [found]) };
  return world.runAll(await world.order({ scrapeContacts: true, ...change }));
}
const reasons = async (run: MapsRun) =>
  (await world.items(run.id)).map(
    ({ import_status, import_reason }) => import_reason ?? import_status,
  );
const emails = async () => (await world.leads()).map(({ email }) => email);

describe('the import', () => {
  it('makes leads of addresses, with where they come from', async () => {
    world.sites['bakery-1.test'] = ['anna.schmidt@bakery-1.test'];
    const run = await enriched(places(1, 2));
    const list = await world.list();
    const done = await world.import(run, list);
    expect(done).toMatchObject({
      status: 'completed',
      imported_leads: 1,
      imported_companies: 1,
      skipped_items: 1,
      skipped: { no_email: 1 },
    });
    expect((await world.leads())[0]).toMatchObject({
      first_name: 'Anna',
      last_name: 'Schmidt',
      email: 'anna.schmidt@bakery-1.test',
      status: 'pending',
      source: 'maps',
      validation_score: 95,
      email_valid: true,
      provenance: {
        fields: {
          personEmail: { source: 'website', url: 'https://bakery-1.test/contact' },
        },
        import: {
          runId: run.id,
          mapsUrl: 'https://maps.google.com/?q=place_id:place-1',
          searchString: 'bakery',
          locationQuery: 'Berlin',
          contactSource: 'https://bakery-1.test/contact',
        },
      },
    });
    const [company] = await world.db.selectFrom('companies').selectAll().execute();
    expect(company).toMatchObject({
      name: 'Bakery 1',
      lead_list_id: list,
      website: 'https://bakery-1.test/',
      phone: '+4930100001',
      city: 'Berlin',
      country_code: 'DE',
      category: 'Bakery',
      rating: 4.5,
      reviews_count: 10,
      place_id: 'place-1',
      source: 'maps',
    });
    const items = await world.items(run.id);
    const [lead] = await world.leads();
    expect(items[0]).toMatchObject({ import_status: 'imported', lead_ids: [lead!.id] });
    expect(items[1]).toMatchObject({ import_status: 'skipped', import_reason: 'no_email' });
    expect((await world.row(run.id)).imported_leads).toBe(1);
  });

  it('repeated finds the same and changes nothing, and another list gets its own', async () => {
    for (let n = 1; n <= 5; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 6));
    const list = await world.list();
    const first = await world.import(run, list);
    const second = await world.import(run, list);
    const countsOf = (row: typeof first) => ({
      leads: [row.imported_leads, row.found_leads],
      companies: [row.imported_companies, row.found_companies],
      skipped: row.skipped_items,
    });
    expect(countsOf(first)).toEqual({ leads: [5, 0], companies: [5, 0], skipped: 1 });
    expect(countsOf(second)).toEqual({ leads: [0, 5], companies: [0, 5], skipped: 1 });
    const other = await world.import(run, await world.list('Other'));
    expect(countsOf(other)).toEqual(countsOf(first));
    expect(await world.leads()).toHaveLength(10);
    const again = await world.import(run, other.lead_list_id!);
    expect(countsOf(again)).toEqual(countsOf(second));
    expect(await world.leads()).toHaveLength(10);
    const leadListId = other.lead_list_id!;
    expect(
      presentImport({ row: again, leadListId, workflowId: '', remainingItems: 0 }),
    ).toMatchObject({
      message: '0 leads and 0 companies imported, 5 leads and 5 companies found, 1 items skipped',
      data: {
        importedLeads: 0,
        importedCompanies: 0,
        foundLeads: 5,
        foundCompanies: 5,
        skippedItems: 1,
      },
    });
    expect((await world.row(run.id)).imported_leads).toBe(10);
  });

  it('at the same time into two lists fills both', async () => {
    for (let n = 1; n <= 20; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 20));
    const lists = [await world.list(), await world.list('Other')];
    // With the same options the second would be the first.
    const done = await Promise.all(
      [3, 4].flatMap((most) =>
        lists.map((list) => world.import(run, list, { maxLeadsPerCompany: most })),
      ),
    );
    const counted = done.map((row) => row.imported_leads + row.found_leads + row.skipped_items);
    expect(counted).toEqual([20, 20, 20, 20]);
    expect(done.reduce((sum, row) => sum + row.imported_leads, 0)).toBe(40);
    expect(await world.leads()).toHaveLength(40);
  });

  it('at the same time as another one makes no twins', async () => {
    for (let n = 1; n <= 40; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 40));
    const list = await world.list();
    const done = await Promise.all(
      [3, 4, 5].map((most) => world.import(run, list, { maxLeadsPerCompany: most })),
    );
    const leads = done.map((row) => row.imported_leads + row.found_leads);
    expect(leads).toEqual([40, 40, 40]);
    expect(done.reduce((sum, row) => sum + row.imported_leads, 0)).toBe(40);
    expect(await world.leads()).toHaveLength(40);
    expect((await world.row(run.id)).imported_leads).toBe(40);
  });
});

describe('the options', () => {
  it('requireEmail, includePhoneOnly: a phone-only contact has no name; it wins (choice 60)', async () => {
    const run = await enriched([place(1), place(2, { phone: null })]);
    const list = await world.list();
    await world.import(run, list);
    expect(await reasons(run)).toEqual(['no_email', 'no_contact']);
    await world.import(run, list, { requireEmail: true, includePhoneOnly: true });
    expect(await reasons(run)).toEqual(['imported', 'no_contact']);
    expect(await world.leads()).toMatchObject([
      { first_name: '', last_name: '', email: null, phone: '+4930100001' },
    ]);
    expect((await world.leads())[0]!.provenance.fields!['personPhone']).toMatchObject({
      source: 'maps',
    });
  });

  it('requireEmail false takes a profile where there is no e-mail', async () => {
    const profiles = [
      {
        network: 'facebook' as const,
        url: 'https://facebook.com/b1',
        page: 'https://bakery-1.test/',
      },
    ];
    const contacts = { emails: [], phones: [], profiles, contactPages: [] };
    world.sites['bakery-1.test'] = { contacts, pages: ['https://bakery-1.test/'] };
    const run = await enriched(places(1, 2));
    await world.import(run, await world.list(), { requireEmail: false });
    expect(await reasons(run)).toEqual(['imported', 'no_email']);
    expect(await world.leads()).toMatchObject([
      { social_profile_url: 'https://facebook.com/b1', email: null, phone: null },
    ]);
  });

  it('includeGenericEmails: info@ only when asked for, without a name', async () => {
    world.sites['bakery-1.test'] = ['info@bakery-1.test'];
    const run = await enriched([place(1)]);
    const list = await world.list();
    await world.import(run, list);
    expect(await reasons(run)).toEqual(['only_generic_emails']);
    await world.import(run, list, { includeGenericEmails: true });
    expect(await world.leads()).toMatchObject([
      {
        email: 'info@bakery-1.test',
        first_name: '',
        last_name: '',
        phone: null,
      },
    ]);
  });

  it('minValidationScore: validates what has no score, once; 0 validates nothing', async () => {
    world.sites['bakery-1.test'] = ['ada@bakery-1.test'];
    world.sites['bakery-2.test'] = ['bob@bakery-2.test'];
    world.verdicts['bob@bakery-2.test'] = 'risky';
    const run = await enriched(places(1, 2));
    const list = await world.list();
    await world.import(run, list, { minValidationScore: 0 });
    expect(world.checkedEmails).toEqual([]);
    expect(await reasons(run)).toEqual(['imported', 'imported']);
    expect((await world.leads())[0]!.validation_score).toBeNull();
    await world.import(run, list);
    expect(world.checkedEmails.toSorted()).toEqual(['ada@bakery-1.test', 'bob@bakery-2.test']);
    expect(await reasons(run)).toEqual(['imported', 'score_too_low']);
    await world.import(run, list, { minValidationScore: 60 });
    expect(await reasons(run)).toEqual(['imported', 'imported']);
    expect(world.checkedEmails).toHaveLength(2);
    expect((await world.leads()).map((lead) => lead.validation_score)).toEqual([95, 60]);
  });

  it('minValidationScore: does not ask again for what verifyEmails has answered', async () => {
    world.sites['bakery-1.test'] = ['ada@bakery-1.test'];
    const run = await enriched(places(1, 1), { verifyEmails: true });
    world.checkedEmails.length = 0;
    await world.import(run, await world.list());
    expect(world.checkedEmails).toEqual([]);
    expect((await world.leads())[0]!.validation_score).toBe(95);
  });

  it.each(['verifier_unavailable', 'verifier_out_of_credits', 'port_25_closed'])(
    'minValidationScore: %s: skips no place, but waits for the verifier',
    async (reason) => {
      world.sites['bakery-1.test'] = ['ada@bakery-1.test'];
      world.sites['bakery-2.test'] = ['bob@bakery-2.test'];
      const run = await enriched(places(1, 2));
      world.unasked = { 'bob@bakery-2.test': reason };
      const begun = await world.beginImport(run, await world.list());
      const page = world.inActivity('importPlaceBatches', begun);
      await expect(page).rejects.toMatchObject({ kind: 'unavailable' });
      expect(await reasons(run)).toEqual([null, null]);
      world.unasked = {};
      await world.inActivity('importPlaceBatches', begun);
      expect(await reasons(run)).toEqual(['imported', 'imported']);
      // What was answered is not asked again.
      expect(world.checkedEmails.filter((email) => email.startsWith('ada'))).toHaveLength(1);
    },
  );

  it('minValidationScore: a few addresses that no verifier answers for hold up nobody for ever', async () => {
    for (let n = 1; n <= 10; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 10));
    world.unasked = { 'ada@bakery-3.test': 'verifier_unavailable' };
    const begun = await world.beginImport(run, await world.list());
    const page = (attempt: number) =>
      world.inActivity('importPlaceBatches', begun, activityEnvironment(0, attempt));
    await expect(page(14)).rejects.toMatchObject({ kind: 'unavailable' });
    await page(15);
    expect((await reasons(run)).filter((one) => one !== 'imported')).toEqual(['score_too_low']);
  });

  it('minValidationScore: three of twenty that a verifier always fails for are passed over in the end', async () => {
    for (let n = 1; n <= 20; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 20));
    const failing = [3, 4, 5].map((n) => `ada@bakery-${n}.test`);
    world.unasked = Object.fromEntries(failing.map((email) => [email, 'verifier_unavailable']));
    const begun = await world.beginImport(run, await world.list());
    const page = (attempt: number) =>
      world.inActivity('importPlaceBatches', begun, activityEnvironment(0, attempt));
    await expect(page(1)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(page(14)).rejects.toMatchObject({ kind: 'unavailable' });
    await page(15);
    const left = (await reasons(run)).filter((one) => one !== 'imported');
    expect(left).toEqual(Array(3).fill('score_too_low'));
  });

  it('minValidationScore: an address whose mail server never answers holds up nobody for ever', async () => {
    world.sites['bakery-1.test'] = ['ada@bakery-1.test'];
    const run = await enriched(places(1, 1));
    world.unasked = { 'ada@bakery-1.test': 'timed_out' };
    const begun = await world.beginImport(run, await world.list());
    const page = (attempt: number) =>
      world.inActivity('importPlaceBatches', begun, activityEnvironment(0, attempt));
    // Where nobody was answered the verifier itself may hang.
    for (const attempt of [1, 4]) {
      await expect(page(attempt)).rejects.toMatchObject({ kind: 'unavailable' });
    }
    await page(5);
    expect(await reasons(run)).toEqual(['score_too_low']);
  });

  it.each([
    ['the visits of websites had an answer', true],
    ['our own checks answered', false],
  ])(
    'minValidationScore: a verifier that hangs is no answered one where for others %s',
    async (_, isVerified) => {
      world.sites['bakery-1.test'] = ['ada@bakery-1.test'];
      world.sites['bakery-2.test'] = ['bob@bakery-2.test'];
      world.unasked = { 'bob@bakery-2.test': 'timed_out' };
      if (!isVerified) {
        world.verdicts['ada@bakery-1.test'] = 'invalid';
        world.unasked['ada@bakery-1.test'] = 'no_mx';
      }
      const run = await enriched(places(1, 2), { verifyEmails: isVerified });
      const begun = await world.beginImport(run, await world.list());
      const page = (attempt: number) =>
        world.inActivity('importPlaceBatches', begun, activityEnvironment(0, attempt));
      for (const attempt of [1, 4]) {
        await expect(page(attempt)).rejects.toMatchObject({ kind: 'unavailable' });
      }
      expect(await reasons(run)).toEqual([null, null]);
      await page(5);
      expect((await reasons(run))[1]).toBe('score_too_low');
    },
  );

  it('minValidationScore: a repeated try asks anew about who gave no answer in time', async () => {
    world.sites['bakery-1.test'] = ['ada@bakery-1.test'];
    const run = await enriched(places(1, 1));
    world.unasked = { 'ada@bakery-1.test': 'timed_out' };
    const begun = await world.beginImport(run, await world.list());
    for (const attempt of [1, 2]) {
      const page = world.inActivity('importPlaceBatches', begun, activityEnvironment(0, attempt));
      await expect(page).rejects.toMatchObject({ kind: 'unavailable' });
    }
    // A verdict that is kept for minutes would be told again, though nobody was asked.
    expect(world.askedAgain).toEqual([false, true]);
  });

  it('minValidationScore: the tries of a batch are not counted with those of the next one', async () => {
    for (let n = 1; n <= 201; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 201));
    world.unasked = { 'ada@bakery-201.test': 'timed_out' };
    const begun = await world.beginImport(run, await world.list(), { limit: 201 });
    const page = (attempt: number) =>
      world.inActivity('importPlaceBatches', begun, activityEnvironment(0, attempt));
    expect(await page(5)).toMatchObject({ isDone: false });
    expect((await reasons(run))[200]).toBeNull();
    await expect(page(1)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('minValidationScore: a try of the page asks only about what nobody was asked about', async () => {
    for (const n of [1, 2, 3]) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 3));
    world.unasked = {
      'ada@bakery-1.test': 'no_answer',
      'ada@bakery-2.test': 'verifier_unavailable',
      'ada@bakery-3.test': 'dns_failure',
    };
    const begun = await world.beginImport(run, await world.list());
    const page = () => world.inActivity('importPlaceBatches', begun);
    await expect(page()).rejects.toMatchObject({ kind: 'unavailable' });
    world.checkedEmails.length = 0;
    await expect(page()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(world.checkedEmails).toEqual(['ada@bakery-2.test']);
  });

  it.each([
    ['its run is deleted', 'MAPS_RUN_NOT_FOUND'],
    ['its list is deleted', 'LEAD_LIST_NOT_FOUND'],
    ['an operator cancels it', 'IMPORT_FAILED'],
  ])('that ends because %s says so: %s', async (why, code) => {
    const run = await enriched(places(1, 1));
    const leadListId = await world.list();
    const { db } = world;
    const startOperation = async ({ id }: { id: number }) => {
      const now = new Date();
      if (why.includes('run')) {
        await db.updateTable('maps_runs').set({ deleted_at: now }).execute();
      } else if (why.includes('list')) {
        await db.updateTable('lead_lists').set({ deleted_at: now }).execute();
      }
      await db
        .updateTable('operations')
        .set({ state: 'failed', error_code: 'CANCELLED', finished_at: now })
        .where('id', '=', id)
        .execute();
      return true;
    };
    const context = { ...world, startOperation } as unknown as Context;
    const order = { ...importOrder(), leadListId };
    await expect(importMapsRun(context, 'user-1', run.id, order)).rejects.toMatchObject({ code });
  });

  it('minValidationScore: a domain that cannot be looked up keeps no other place waiting', async () => {
    world.sites['bakery-1.test'] = ['ada@bakery-1.test'];
    const run = await enriched(places(1, 1));
    world.unasked = { 'ada@bakery-1.test': 'dns_failure' };
    await world.import(run, await world.list());
    expect(await reasons(run)).toEqual(['score_too_low']);
  });

  it('a repeat waits for the import that goes on, and one with other options is its own', async () => {
    for (let n = 1; n <= 4; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 4));
    const list = await world.list();
    const first = await world.beginImport(run, list, { limit: 3 });
    expect(await world.beginImport(run, list, { limit: 3 })).toEqual(first);
    expect(await world.beginImport(run, list, { limit: 1 })).toEqual(first);
    const { importId } = await world.beginImport(run, list, { minValidationScore: 60 });
    expect(importId).not.toBe(first.importId);
    const { operationId } = await world.beginImport(run, list, { limit: 3, startOver: true });
    expect(operationId).not.toBe(first.operationId);
  });

  it('maxLeadsPerCompany counts a company over all of its places', async () => {
    const chain = (n: number) =>
      place(n, { title: 'Chain', website: `https://chain.com/shop/${n}` });
    // Every shop shows the same two people and one of its own.
    const people = ['ada@chain.com', 'bob@chain.com', 'cyd@chain.com', 'dan@chain.com'];
    world.sites['chain.com'] = people;
    const run = await enriched([chain(1), chain(2), place(3)]);
    world.sites['bakery-3.test'] = [];
    const done = await world.import(run, await world.list());
    expect(done).toMatchObject({ imported_leads: 3, imported_companies: 1, skipped_items: 1 });
    expect(await reasons(run)).toEqual(['imported', 'imported', 'no_email']);
    const items = await world.items(run.id);
    expect(items[1]!.lead_ids).toEqual(items[0]!.lead_ids);
    await world.import(run, await world.list('One'), { maxLeadsPerCompany: 1 });
    expect((await world.items(run.id)).map(({ lead_ids }) => lead_ids.length)).toEqual([1, 1, 0]);
  });

  it('limit takes the first places, in the order in which they were saved', async () => {
    for (let n = 1; n <= 4; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 4));
    const done = await world.import(run, await world.list(), { limit: 2 });
    expect(done).toMatchObject({ processed_items: 2, imported_leads: 2 });
    expect(await reasons(run)).toEqual(['imported', 'imported', null, null]);
  });

  it('limit: a repeat goes on behind what was handled, over the whole run, and then begins anew', async () => {
    for (let n = 1; n <= 5; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 5));
    const list = await world.list();
    const counts = async (change: Partial<ImportOptions & { startOver: boolean }>, into = list) => {
      const row = await world.import(run, into, change);
      return [row.processed_items, row.imported_leads, row.found_leads];
    };
    expect(await counts({ limit: 2 })).toEqual([2, 2, 0]);
    expect(await counts({ limit: 2 })).toEqual([2, 2, 0]);
    expect(await counts({ limit: 2 }, await world.list('Other'))).toEqual([2, 2, 0]);
    expect(await counts({ limit: 3 })).toEqual([1, 1, 0]);
    expect(await counts({ limit: 2 })).toEqual([2, 0, 2]);
    // Of other options nothing is handled yet.
    expect(await counts({ limit: 2, minValidationScore: 60 })).toEqual([2, 0, 2]);
    expect(await counts({ limit: 3, startOver: true })).toEqual([3, 0, 3]);
    expect(await counts({ limit: 3 })).toEqual([2, 0, 2]);
  });

  it('maxLeadsPerCompany counts a company over all parts of an import', async () => {
    const shop = (n: number) =>
      place(n, { title: 'Chain', website: `https://shop-${n}.chain.com` });
    world.sites['shop-1.chain.com'] = ['ada@chain.com', 'bob@chain.com'];
    world.sites['shop-2.chain.com'] = ['cyd@chain.com', 'dan@chain.com'];
    const run = await enriched([shop(1), shop(2)]);
    const list = await world.list();
    for (let part = 1; part <= 2; part += 1) await world.import(run, list, { limit: 1 });
    expect(await emails()).toEqual(['ada@chain.com', 'bob@chain.com', 'cyd@chain.com']);
  });

  it('takes the best contacts first', async () => {
    const found = (email: string, change: Partial<FoundEmail> = {}): FoundEmail => ({
      email,
      kind: 'personal',
      page: 'https://bakery-1.test/',
      form: 'text',
      ...change,
    });
    world.sites['bakery-1.test'] = [
      found('agency@else.test'),
      found('ada@bakery-1.test', { name: 'Ada King', form: 'mailto' }),
    ];
    const run = await enriched([place(1)]);
    await world.import(run, await world.list(), { maxLeadsPerCompany: 1 });
    expect(await world.leads()).toMatchObject([
      { email: 'ada@bakery-1.test', first_name: 'Ada', last_name: 'King' },
    ]);
  });
});

describe('what an import meets', () => {
  it('people who were erased are not stored again, and it says so', async () => {
    world.sites['bakery-1.test'] = ['ada@bakery-1.test'];
    const run = await enriched([place(1)]);
    await world.db
      .insertInto('erasure_tombstones')
      .values({
        user_id: 'user-1',
        key_hash: tombstoneHash('user-1', 'email:ada@bakery-1.test'),
      })
      .execute();
    const done = await world.import(run, await world.list());
    expect(done).toMatchObject({ imported_leads: 0, imported_companies: 0, skipped_items: 1 });
    expect(await reasons(run)).toEqual(['erased']);
    expect(await world.leads()).toEqual([]);
  });

  it('somebody who is erased while addresses are checked leaves no address behind', async () => {
    world.sites['bakery-1.test'] = ['ada@bakery-1.test', 'bob@bakery-1.test'];
    const run = await enriched(places(1, 1));
    world.onCheck = async () => {
      world.onCheck = async () => undefined;
      const key = { emailKey: 'ada@bakery-1.test', profileKey: null, phoneKey: null };
      await eraseByKey(world, 'user-1', key);
    };
    await world.import(run, await world.list());
    expect(await emails()).toEqual(['bob@bakery-1.test']);
    const [item] = await world.items(run.id);
    expect(Object.keys(item!.contacts!.checks)).toEqual(['bob@bakery-1.test']);
    expect(JSON.stringify(item)).not.toContain('ada@');
  });

  it('a list that is deleted while the import begins is not found', async () => {
    const run = await enriched(places(1, 1));
    const list = await world.list();
    const order = { ...importOrder(), leadListId: list };
    const lists = world.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('lead_lists').where('id', '=', list).execute();
      const begun = beginMapsImport(world, 'user-1', run.id, order);
      const created = world.order({ leadListId: list });
      const both = Promise.allSettled([begun, created]);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { both };
    });
    for (const one of await (
      await lists
    ).both) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'LEAD_LIST_NOT_FOUND' } });
    }
  });

  it('a list that is deleted meanwhile ends it, and nothing more is stored', async () => {
    world.sites['bakery-1.test'] = ['ada@bakery-1.test'];
    const run = await enriched([place(1)]);
    const list = await world.list();
    const { importId, operationId } = await world.beginImport(run, list);
    await world.db.updateTable('maps_imports').set({ lead_list_id: null }).execute();
    const page = await world.inActivity('importPlaceBatches', { importId, operationId });
    expect(page).toMatchObject({ state: 'over', isDone: false });
    expect(await world.leads()).toEqual([]);
  });

  it('a crash between batches: a repeat goes on behind what is stored', async () => {
    for (let n = 1; n <= 250; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
    const run = await enriched(places(1, 250));
    const { importId, operationId } = await world.beginImport(run, await world.list());
    let batches = 0;
    world.onCheck = async () => {
      if ((batches += 1) === 2) throw new Error('killed');
    };
    const go = () => world.inActivity('importPlaceBatches', { importId, operationId });
    await expect(go()).rejects.toThrow('killed');
    expect((await world.importRow(importId)).processed_items).toBe(200);
    expect((await world.row(run.id)).imported_leads).toBe(200);
    await go();
    await go();
    expect(await world.importRow(importId)).toMatchObject({
      processed_items: 250,
      imported_leads: 250,
      skipped_items: 0,
    });
    expect((await world.row(run.id)).imported_leads).toBe(250);
    expect(await world.leads()).toHaveLength(250);
  });
});

describe('imports in any order, any number of times', () => {
  /** What is in the account, whatever the ids are. */
  const state = async () => {
    const leads = await world.db
      .selectFrom('leads')
      .leftJoin('companies', 'companies.id', 'leads.company_id')
      .select(['email', 'leads.phone', 'first_name', 'last_name', 'companies.name'])
      .execute();
    return leads.map((lead) => JSON.stringify(lead)).toSorted();
  };

  it('give one and the same set', async () => {
    // Two shops of one company, a generic address, a telephone alone, a shared person.
    world.sites['bakery-1.test'] = ['ada@bakery-1.test', 'info@bakery-1.test'];
    world.sites['chain.com'] = ['eve@chain.com', 'office@chain.com'];
    world.sites['bakery-5.test'] = ['eve@chain.com'];
    const found = [
      place(1),
      place(2, { title: 'Chain', website: 'https://chain.com/2' }),
      place(3, { title: 'Chain', website: 'https://chain.com/3' }),
      place(4),
    ];
    const options: Partial<ImportOptions> = {
      includeGenericEmails: true,
      includePhoneOnly: true,
      requireEmail: false,
    };
    let expected: string[] | undefined;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        fc.integer({ min: 1, max: 2 }),
        async (order, times) => {
          await clear();
          // Each place is a run of its own, imported in this order, so often.
          const runs = new Map<number, MapsRun>();
          for (const n of order) runs.set(n, await enriched([found[n]!]));
          const list = await world.list();
          for (let i = 0; i < times; i += 1) {
            for (const n of order) await world.import(runs.get(n)!, list, options);
          }
          expected ??= await state();
          expect(await state()).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
    expect(expected).toHaveLength(5);
    expect(await emails()).toContain('eve@chain.com');
  }, 180_000);

  async function clear(): Promise<void> {
    for (const table of ['leads', 'companies'] as const) {
      await world.db.deleteFrom(table).execute();
    }
  }
});
