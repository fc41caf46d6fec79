/** The steps of a discovery on a real database: what is stored, bought once, repeated, left out. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertSources } from '../../src/db/discovery/lead-process-sources.ts';
import { tombstoneHash } from '../../src/db/leads/lead-locks.ts';
import {
  ad,
  ads,
  fakeFinder,
  fakeLibrary,
  openDiscoveryWorld,
  person,
  trouble,
  type DiscoveryWorld,
} from '../support/leads/discovery-world.ts';

let world: DiscoveryWorld;
beforeEach(async () => {
  world = await openDiscoveryWorld();
});
afterEach(() => world.close());

const setStatus = (id: number, status: 'paused' | 'processing' | 'cancelled') =>
  world.db.updateTable('lead_processes').set({ status }).where('id', '=', id).execute();
const sources = (id: number) =>
  world.db
    .selectFrom('lead_process_sources')
    .selectAll()
    .where('process_id', '=', id)
    .orderBy('id')
    .execute();
const setSources = (id: number, change: object) =>
  world.db
    .updateTable('lead_process_sources')
    .set(change as never)
    .where('process_id', '=', id)
    .execute();
const finders = async (id: number) => {
  const rows = await world.db
    .selectFrom('lead_process_finders')
    .selectAll()
    .where('process_id', '=', id)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.vendor, row]));
};
const purchases = () =>
  world.db.selectFrom('contact_purchases').selectAll().orderBy('domain').execute();

const sorted = (texts: (string | null)[]) => texts.map(String).toSorted();

/** `n` companies whose own sites name somebody. */
function sitesWithPeople(from: number, to: number) {
  for (let n = from; n <= to; n += 1) world.sites[`company-${n}.test`] = [`ada@company-${n}.test`];
}

/** Counters equal what is stored. */
async function expectExact(id: number) {
  const row = await world.row(id);
  const leads = (await world.leads()).filter((lead) => lead.provenance.import?.processId === id);
  expect(row.found_leads).toBe(leads.length);
  expect(row.found_leads).toBeLessThanOrEqual(row.lead_count);
  expect(new Set(leads.map(({ email }) => email)).size).toBe(leads.length);
  return row;
}

describe('a discovery', () => {
  it('goes from ads to leads of the list, step by step, with where each came from', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 2), ads(3, 3)]) };
    sitesWithPeople(1, 3);
    const { id, lead_list_id } = await world.process();
    expect(await world.runAll(id)).toEqual([
      'search_ads',
      'extract_companies',
      'enrich_contacts',
      'validate_emails',
      'attach_leads',
    ]);
    expect(await expectExact(id)).toMatchObject({ found_leads: 3, processed_leads: 3 });
    const [first] = await world.leads();
    expect(first).toMatchObject({
      email: 'ada@company-1.test',
      first_name: 'Ada',
      last_name: 'King',
      source: 'discovery',
      status: 'pending',
      validation_score: 95,
      provenance: {
        fields: { personEmail: { source: 'website', url: 'https://company-1.test/contact' } },
        import: { processId: id, contactSource: 'https://company-1.test/contact' },
      },
    });
    const companies = await world.db.selectFrom('companies').selectAll().execute();
    expect(companies).toHaveLength(3);
    expect(companies.every((company) => company.lead_list_id === lead_list_id)).toBe(true);
    expect(companies[0]!.provenance.fields).toMatchObject({ name: { source: 'apify' } });
  });

  it('gives the same when each activity runs twice', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 6)]) };
    sitesWithPeople(1, 3);
    const hunter = fakeFinder('hunter', { 'company-4.test': [person('bo@company-4.test')] });
    world.contactFinders = { hunter };
    const { id } = await world.process();
    for (const step of [
      'search_ads',
      'extract_companies',
      'enrich_contacts',
      'validate_emails',
      'attach_leads',
    ] as const) {
      const first = await world.run(step, id);
      expect((await world.run(step, id)).next).toBe(first.next);
      await expectExact(id);
    }
    expect((await world.row(id)).found_leads).toBe(4);
    expect(world.visited).toHaveLength(6);
    expect(sorted(hunter.asked)).toEqual(['company-4.test', 'company-5.test', 'company-6.test']);
    expect((await finders(id))['website']).toMatchObject({ asked: 6, contacts: 3 });
  });

  it('says in its row how far it is, and never goes back', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 30)]) };
    sitesWithPeople(1, 30);
    const { id } = await world.process({ leadCount: 30 });
    const seen: number[] = [];
    let step: Parameters<typeof world.run>[0] | null = 'search_ads';
    while (step !== null) {
      ({ next: step } = await world.run(step, id));
      seen.push((await world.row(id)).progress_percent);
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen[1]).toBeGreaterThan(0);
    expect((await world.row(id)).started_at).toBeInstanceOf(Date);
  });
});

describe('companies', () => {
  it('are told by their domain, each once, also over pages and rounds', async () => {
    const again = ad(9, {
      landing: 'https://l.facebook.com/l.php?u=http%3A%2F%2Fwww.company-1.test%2F',
    });
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 2), [again, ad(10)]]) };
    const { id } = await world.process();
    await world.run('search_ads', id);
    await world.run('extract_companies', id);
    const rows = await world.companies(id);
    expect(sorted(rows.map(({ domain }) => domain))).toEqual([
      'company-1.test',
      'company-10.test',
      'company-2.test',
    ]);
    expect(await world.db.selectFrom('lead_process_ads').selectAll().execute()).toEqual([]);
  });

  it('that the user suppressed are neither visited nor asked about', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 2)]) };
    sitesWithPeople(1, 2);
    const { id } = await world.process();
    const value = { user_id: 'user-1', kind: 'domain', value: 'company-1.test' } as const;
    await world.db
      .insertInto('suppressions')
      .values({ ...value, reason: 'manual' })
      .execute();
    await world.runAll(id);
    expect(world.visited).toEqual(['company-2.test']);
  });

  it('without a site of their own are neither visited nor asked about', async () => {
    const store = ad(1, { landing: 'https://apps.apple.com/app/id1' });
    world.adLibraries = {
      apify: fakeLibrary('apify', ['US'], [[store, ad(2, { landing: null })]]),
    };
    world.contactFinders = { hunter: fakeFinder('hunter', {}) };
    const { id } = await world.process();
    await world.runAll(id);
    expect((await world.companies(id)).map(({ state }) => state)).toEqual(['unusable', 'unusable']);
    expect(world.visited).toEqual([]);
  });
});

describe('contacts', () => {
  it('come from the own site, then from each finder in order, and only where none was found', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 4)]) };
    sitesWithPeople(1, 1);
    const hunter = fakeFinder('hunter', { 'company-2.test': [person('bo@company-2.test')] });
    const apollo = fakeFinder('apollo', { 'company-3.test': [person('cy@company-3.test')] });
    world.contactFinders = { hunter, apollo };
    const { id } = await world.process();
    await world.runAll(id);
    expect(hunter.asked.toSorted()).toEqual(['company-2.test', 'company-3.test', 'company-4.test']);
    expect(apollo.asked.toSorted()).toEqual(['company-3.test', 'company-4.test']);
    expect(sorted((await world.leads()).map(({ email }) => email))).toEqual([
      'ada@company-1.test',
      'bo@company-2.test',
      'cy@company-3.test',
    ]);
    expect(await finders(id)).toMatchObject({
      website: { asked: 4, contacts: 1 },
      hunter: { asked: 3, contacts: 1, credits: 1, state: 'active' },
      apollo: { asked: 2, contacts: 1, credits: 1 },
    });
  });

  it('stop at leadCount: never more leads, and what is not needed is not bought', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 40)]) };
    const known = ads(1, 40).map(({ adId }) => [
      `company-${adId}.test`,
      [person(`a@company-${adId}.test`), person(`b@company-${adId}.test`)],
    ]);
    const hunter = fakeFinder('hunter', Object.fromEntries(known));
    world.contactFinders = { hunter };
    const { id } = await world.process({ leadCount: 7 });
    await world.runAll(id);
    expect(await expectExact(id)).toMatchObject({ found_leads: 7 });
    expect(await world.leads()).toHaveLength(7);
    expect(hunter.asked.length).toBeLessThanOrEqual(7);
  });

  it('with an invalid address are left out and counted; then a finder is asked', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 1)]) };
    sitesWithPeople(1, 1);
    world.verdicts['ada@company-1.test'] = 'invalid';
    world.verdicts['bo@company-1.test'] = 'unknown';
    const hunter = fakeFinder('hunter', { 'company-1.test': [person('bo@company-1.test')] });
    world.contactFinders = { hunter };
    const { id } = await world.process();
    await world.runAll(id);
    expect(await expectExact(id)).toMatchObject({ found_leads: 1, processed_leads: 2 });
    expect(await world.leads()).toMatchObject([
      { email: 'bo@company-1.test', validation_score: 40 },
    ]);
  });

  it('that are leads of the list already count as processed and as duplicates', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 3)]) };
    sitesWithPeople(1, 3);
    const first = await world.process({ leadCount: 1 });
    await world.runAll(first.id);
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 3)]) };
    const second = await world.process({ leadCount: 3, leadListId: first.lead_list_id });
    await world.runAll(second.id);
    expect(await expectExact(second.id)).toMatchObject({
      found_leads: 2,
      duplicate_leads: 1,
      processed_leads: 3,
    });
    expect(await world.leads()).toHaveLength(3);
  });

  it('are leads of each list that they are discovered for, and are bought once', async () => {
    const libraries = () => ({ apify: fakeLibrary('apify', ['US'], [ads(1, 3)]) });
    sitesWithPeople(1, 2);
    const hunter = fakeFinder('hunter', { 'company-3.test': [person('bo@company-3.test')] });
    world.contactFinders = { hunter };
    for (const _list of ['first', 'second']) {
      world.adLibraries = libraries();
      const { id } = await world.process();
      await world.runAll(id);
      const process = await expectExact(id);
      expect(process).toMatchObject({ found_leads: 3, duplicate_leads: 0 });
      const inList = await world.db
        .selectFrom('leads')
        .innerJoin('companies', 'companies.id', 'leads.company_id')
        .select('email')
        .where('companies.lead_list_id', '=', process.lead_list_id)
        .orderBy('email')
        .execute();
      expect(inList.map(({ email }) => email)).toEqual([
        'ada@company-1.test',
        'ada@company-2.test',
        'bo@company-3.test',
      ]);
    }
    expect(await world.leads()).toHaveLength(6);
    expect(hunter.asked).toHaveLength(1);
  });

  it('who were erased are kept nowhere, be they found or bought again', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 2)]) };
    sitesWithPeople(1, 1);
    const hunter = fakeFinder('hunter', { 'company-2.test': [person('bo@company-2.test')] });
    world.contactFinders = { hunter };
    const { id } = await world.process();
    world.phones['company-1.test'] = '+49307654321';
    const erased = ['email:ada@company-1.test', 'email:bo@company-2.test', 'phone:49307654321'];
    const values = erased.map((key) => ({
      user_id: 'user-1',
      key_hash: tombstoneHash('user-1', key),
    }));
    await world.db.insertInto('erasure_tombstones').values(values).execute();
    await world.runAll(id);
    expect((await world.companies(id)).map(({ phone }) => phone)).toEqual([null, null]);
    expect(await world.leads()).toEqual([]);
    expect(await world.db.selectFrom('lead_process_contacts').selectAll().execute()).toEqual([]);
    expect((await purchases()).map(({ people }) => people)).toEqual([[], []]);
  });

  it('prefer people over roles, and take a role where the site names nobody', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 2)]) };
    world.sites['company-1.test'] = ['info@company-1.test', 'ada@company-1.test'];
    world.sites['company-2.test'] = ['info@company-2.test'];
    const { id } = await world.process();
    await world.runAll(id);
    expect((await world.leads()).map(({ email }) => email)).toEqual([
      'ada@company-1.test',
      'info@company-2.test',
    ]);
  });
});

describe('a finder', () => {
  const two = { 'company-1.test': [person('a@company-1.test')], 'company-2.test': [] };
  beforeEach(() => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 3)]) };
  });

  it.each(['quota', 'auth'] as const)(
    'that answers %s is left out at once, noted, and not asked again; the next one is',
    async (kind) => {
      const hunter = fakeFinder('hunter', two);
      const failures = Array.from({ length: 50 }, () => trouble(kind, 'hunter'));
      hunter.failures.push(...failures);
      const apollo = fakeFinder('apollo', two);
      world.contactFinders = { hunter, apollo };
      const { id } = await world.process();
      await world.runAll(id);
      // Those that were in flight, and no retries.
      expect(50 - hunter.failures.length).toBeLessThanOrEqual(3);
      expect(apollo.asked).toHaveLength(3);
      const { hunter: row } = await finders(id);
      expect(row).toMatchObject({ state: 'stopped', asked: 0, credits: 0 });
      expect(row!.note).toMatch(
        kind === 'quota' ? /no credits left: skipped/ : /credentials: skipped/,
      );
      expect((await purchases()).filter(({ vendor }) => vendor === 'hunter')).toEqual([]);
      expect((await world.row(id)).found_leads).toBe(1);
    },
  );

  it.each(['rate_limited', 'unavailable'] as const)(
    'that is %s did nothing yet and is asked again',
    async (kind) => {
      const hunter = fakeFinder('hunter', two);
      hunter.failures.push(...Array.from({ length: 4 }, () => trouble(kind, 'hunter', 1)));
      world.contactFinders = { hunter };
      const { id } = await world.process();
      await world.runAll(id);
      expect(hunter.asked.toSorted()).toEqual([
        'company-1.test',
        'company-2.test',
        'company-3.test',
      ]);
      expect((await finders(id))['hunter']).toMatchObject({ state: 'active', asked: 3 });
    },
  );

  it('that stays down is left out in the end', async () => {
    const hunter = fakeFinder('hunter', two);
    hunter.failures.push(...Array.from({ length: 500 }, () => trouble('unavailable', 'hunter', 1)));
    const apollo = fakeFinder('apollo', two);
    world.contactFinders = { hunter, apollo };
    const { id } = await world.process();
    await world.runAll(id);
    expect((await finders(id))['hunter']?.note).toMatch(/did not answer for a long time: skipped/);
    expect(apollo.asked).toHaveLength(3);
  });

  it('that refuses one company is not asked about it again, and about the others it is', async () => {
    const hunter = fakeFinder('hunter', two);
    hunter.failures.push(trouble('rejected', 'hunter'));
    world.contactFinders = { hunter };
    const { id } = await world.process();
    await world.runAll(id);
    expect(hunter.asked).toHaveLength(2);
    expect((await finders(id))['hunter']).toMatchObject({ state: 'active', asked: 3 });
  });

  it('whose answer was lost is never asked about that company again, by no process', async () => {
    const hunter = fakeFinder('hunter', two);
    hunter.failures.push(...ads(1, 3).map(() => trouble('outcome_unknown', 'hunter')));
    const apollo = fakeFinder('apollo', two);
    world.contactFinders = { hunter, apollo };
    const { id } = await world.process();
    await world.runAll(id);
    expect(hunter.asked).toEqual([]);
    expect(apollo.asked).toHaveLength(3);
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 3)]) };
    const again = await world.process();
    await world.runAll(again.id);
    expect(hunter.asked).toEqual([]);
    expect((await purchases()).filter(({ vendor }) => vendor === 'hunter')).toMatchObject(
      ads(1, 3).map(() => ({ state: 'uncertain' })),
    );
  });
});

describe('a purchase', () => {
  const known = { 'company-1.test': [person('a@company-1.test')] };
  beforeEach(() => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 1)]) };
  });

  async function untilUnvalidated(id: number) {
    await world.run('search_ads', id);
    await world.run('extract_companies', id);
  }

  it('whose worker dies before the answer is recorded is not made again; the next finder is asked', async () => {
    const hunter = fakeFinder('hunter', known);
    let answer = (): void => undefined;
    hunter.before = () => new Promise<void>((resolve) => (answer = resolve));
    const apollo = fakeFinder('apollo', known);
    world.contactFinders = { hunter, apollo };
    const { id } = await world.process();
    await untilUnvalidated(id);
    // The worker that asks hangs, as one that was killed does.
    const dead = world.run('enrich_contacts', id);
    while (hunter.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    hunter.before = async () => undefined;
    await world.db.updateTable('contact_purchases').set({ attempt: 'the dead one' }).execute();
    await world.run('enrich_contacts', id);
    expect(hunter.asked).toEqual(['company-1.test']);
    expect(apollo.asked).toEqual(['company-1.test']);
    // It was alive after all: its answer is kept, and makes no second contact.
    answer();
    await dead;
    expect(await purchases()).toMatchObject([
      { vendor: 'apollo', state: 'answered' },
      { vendor: 'hunter', state: 'answered', credits: 1 },
    ]);
    expect(await world.db.selectFrom('lead_process_contacts').selectAll().execute()).toHaveLength(
      1,
    );
  });

  it('of which we know nothing after a mistake of ours is uncertain, not repeated', async () => {
    const hunter = fakeFinder('hunter', known);
    hunter.before = async () => {
      throw new TypeError('a mistake');
    };
    world.contactFinders = { hunter };
    const { id } = await world.process();
    await world.runAll(id);
    expect(hunter.asked).toEqual(['company-1.test']);
    expect(await purchases()).toMatchObject([{ state: 'uncertain' }]);
  });

  it('is used again by another process of the same user, and not of another user', async () => {
    const hunter = fakeFinder('hunter', known);
    world.contactFinders = { hunter };
    const first = await world.process();
    await world.runAll(first.id);
    await world.db.deleteFrom('leads').execute();
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 1)]) };
    const second = await world.process();
    await world.runAll(second.id);
    expect(hunter.asked).toHaveLength(1);
    expect(await world.leads()).toHaveLength(1);
    expect((await finders(second.id))['hunter']).toMatchObject({ reused: 1, asked: 0, credits: 0 });
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 1)]) };
    const other = await world.process({ userId: 'user-2' });
    await world.runAll(other.id);
    expect(hunter.asked).toHaveLength(2);
  });

  it('is not used again for somebody whose erasure came between the look and the lock', async () => {
    const hunter = fakeFinder('hunter', known);
    world.contactFinders = { hunter };
    await world.runAll((await world.process()).id);
    const [lead] = await world.leads();
    await world.db.deleteFrom('leads').execute();
    const key_hash = tombstoneHash('user-1', `email:${lead!.email}`);
    await world.db
      .insertInto('erasure_tombstones')
      .values({ user_id: 'user-1', key_hash })
      .execute();
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 1)]) };
    const { id } = await world.process();
    await world.runAll(id);
    const { rows } = await world.db
      .selectFrom('lead_process_contacts')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where('process_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(Number(rows)).toBe(0);
  });

  it('is made once by two processes that want it at the same time', async () => {
    const domains = ads(1, 12).map(({ adId }) => `company-${adId}.test`);
    const hunter = fakeFinder(
      'hunter',
      Object.fromEntries(domains.map((domain) => [domain, [person(`bo@${domain}`)]])),
    );
    hunter.before = () => new Promise((resolve) => setTimeout(resolve, 30));
    world.contactFinders = { hunter };
    const first = await world.process();
    const both = [first, await world.process({ leadListId: first.lead_list_id })];
    for (const { id } of both) {
      world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 12)]) };
      await world.run('search_ads', id);
      await world.run('extract_companies', id);
    }
    await Promise.all(both.map(({ id }) => world.run('enrich_contacts', id)));
    await Promise.all(both.map(({ id }) => world.runAll(id)));
    expect(sorted(hunter.asked)).toEqual(sorted(domains));
    expect(await world.leads()).toHaveLength(12);
    const rows = await Promise.all(both.map(({ id }) => expectExact(id)));
    expect(rows.reduce((sum, row) => sum + row.found_leads, 0)).toBe(12);
    expect(rows.reduce((sum, row) => sum + row.duplicate_leads, 0)).toBe(12);
  });

  it('is forgotten after 90 days and may then be made again', async () => {
    const hunter = fakeFinder('hunter', known);
    world.contactFinders = { hunter };
    const first = await world.process();
    await world.runAll(first.id);
    const old = new Date(Date.now() - 91 * 86_400_000);
    await world.db.updateTable('contact_purchases').set({ asked_at: old }).execute();
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 1)]) };
    await world.runAll((await world.process()).id);
    expect(hunter.asked).toHaveLength(2);
  });

  it('that was answered after a cancel is kept for the user, and adds no contact', async () => {
    const hunter = fakeFinder('hunter', known);
    world.contactFinders = { hunter };
    const { id } = await world.process();
    await untilUnvalidated(id);
    hunter.before = async () => void (await setStatus(id, 'cancelled'));
    expect(await world.run('enrich_contacts', id)).toMatchObject({ state: 'over' });
    expect(await purchases()).toMatchObject([
      { state: 'answered', people: [{ email: 'a@company-1.test' }] },
    ]);
    expect(await world.db.selectFrom('lead_process_contacts').selectAll().execute()).toEqual([]);
  });
});

describe('a pause', () => {
  it('lets nothing be stored once it is committed, and what was in flight is done after it', async () => {
    world.adLibraries = { apify: fakeLibrary('apify', ['US'], [ads(1, 60)]) };
    sitesWithPeople(1, 60);
    const { id } = await world.process();
    await world.run('search_ads', id);
    await world.run('extract_companies', id);
    const visit = world.websites.visit.bind(world.websites);
    const stored = () => world.db.selectFrom('lead_process_contacts').selectAll().execute();
    let visits = 0;
    let atPause: number | undefined;
    world.websites.visit = async (question) => {
      visits += 1;
      if (visits === 30) {
        await setStatus(id, 'paused');
        atPause = (await stored()).length;
      }
      return visit(question);
    };
    expect(await world.run('enrich_contacts', id)).toMatchObject({ state: 'paused' });
    expect(await stored()).toHaveLength(atPause!);
    expect(atPause).toBeLessThan(60);
    await setStatus(id, 'processing');
    await world.runAll(id);
    expect((await expectExact(id)).found_leads).toBe(60);
  });

  it.each([
    'search_ads',
    'extract_companies',
    'enrich_contacts',
    'validate_emails',
    'attach_leads',
  ] as const)('before %s keeps it from doing anything', async (step) => {
    const library = fakeLibrary('apify', ['US'], [ads(1, 3)]);
    world.adLibraries = { apify: library };
    sitesWithPeople(1, 3);
    const { id } = await world.process();
    let next: Parameters<typeof world.run>[0] | null = 'search_ads';
    while (next !== null && next !== step) ({ next } = await world.run(next, id));
    const calls = [library.calls.length, world.visited.length, world.checkedEmails.length];
    await setStatus(id, 'paused');
    expect(await world.run(step, id)).toMatchObject({ state: 'paused', next: step });
    expect([library.calls.length, world.visited.length, world.checkedEmails.length]).toEqual(calls);
    expect(await world.leads()).toEqual([]);
    await setStatus(id, 'processing');
    while (next !== null) ({ next } = await world.run(next, id));
    expect((await expectExact(id)).found_leads).toBe(3);
  });
});

describe('a search', () => {
  it('goes on behind the last page that was kept, when the next one failed', async () => {
    const library = fakeLibrary('apify', ['US'], [ads(1, 2), ads(3, 4), ads(5, 6)]);
    world.adLibraries = { apify: library };
    const { id } = await world.process();
    const page = library.page.bind(library);
    library.page = async (search, cursor) => {
      if (cursor === '2' && !library.calls.includes('page 2')) {
        library.calls.push('page 2');
        throw trouble('unavailable', 'apify');
      }
      return page(search, cursor);
    };
    await expect(world.run('search_ads', id)).rejects.toThrow(/unavailable/);
    expect(await sources(id)).toMatchObject([{ cursor: '2', ads: 4, failures: 1, state: 'begun' }]);
    await world.run('search_ads', id);
    expect(library.calls.filter((call) => call.startsWith('page'))).toEqual([
      'page 0',
      'page 1',
      'page 2',
      'page 2',
    ]);
    expect(await sources(id)).toMatchObject([{ ads: 6, failures: 0, state: 'ended' }]);
  });

  it('begins once more with the same token when the answer to the first was lost', async () => {
    const library = fakeLibrary('apify', ['US'], [ads(1, 2)]);
    library.failures.push(trouble('outcome_unknown', 'apify'));
    world.adLibraries = { apify: library };
    const { id } = await world.process();
    await world.run('search_ads', id);
    const [first, second] = library.calls;
    expect(first).toMatch(/^begin discovery-\d+-[0-9a-f]{16}$/);
    expect(second).toBe(first);
  });

  it('begins under a token that no other installation, and no row that a restore has lost, ever had', async () => {
    const library = fakeLibrary('apify', ['US'], [ads(1, 2)]);
    const other = await openDiscoveryWorld();
    for (const one of [other, world]) {
      one.adLibraries = { apify: library };
      await one.run('search_ads', (await one.process()).id);
    }
    await other.close();
    const begun = library.calls.filter((call) => call.startsWith('begin'));
    expect(begun.map((call) => call.replace(/-[0-9a-f]{16}$/, ''))).toEqual([
      'begin discovery-1',
      'begin discovery-1',
    ]);
    expect(new Set(begun).size).toBe(2);
  });

  it('that a process of before has asked for, and noted without a random part, is found by its old token', async () => {
    const library = fakeLibrary('apify', ['US'], [ads(1, 2)]);
    world.adLibraries = { apify: library };
    const { id } = await world.process();
    const planned = { vendor: 'apify', countries: ['US'], note: null };
    await world.db.transaction().execute((trx) => insertSources(trx, id, [planned]));
    await setSources(id, { asked_at: new Date(Date.now() - 60_000) });
    const [source] = await sources(id);
    await world.run('search_ads', id);
    expect(library.calls.at(0)).toBe(`begin discovery-${id}-${source!.id}`);
  });

  it('is found by its token where a fail-over has lost its row, and the row has another id now', async () => {
    const library = fakeLibrary('apify', ['US'], [ads(1, 2)]);
    world.adLibraries = { apify: library };
    const { id } = await world.process();
    const begin = library.begin.bind(library);
    library.begin = async (search, token) => {
      await begin(search, token);
      throw new Error('killed');
    };
    await expect(world.run('search_ads', id)).rejects.toThrow('killed');
    library.begin = begin;
    await world.db.deleteFrom('lead_process_sources').where('process_id', '=', id).execute();
    await world.run('search_ads', id);
    const [first, second] = library.calls.filter((call) => call.startsWith('begin'));
    expect(second).toBe(first);
  });

  it('has another token than the other searches of its process', async () => {
    const meta = fakeLibrary('meta', ['DE'], [ads(1, 2)]);
    const apify = fakeLibrary('apify', ['US'], [ads(3, 4)]);
    world.adLibraries = { meta, apify };
    const { id } = await world.process({ countries: ['DE', 'US'] });
    await world.run('search_ads', id);
    const begun = [meta.calls[0], apify.calls[0]];
    expect(begun).toEqual([expect.stringMatching(/^begin/), expect.stringMatching(/^begin/)]);
    expect(new Set(begun).size).toBe(2);
  });

  it('is begun once by attempts that are at work at once', async () => {
    const library = fakeLibrary('apify', ['US'], [ads(1, 2)]);
    library.failures.push(trouble('outcome_unknown', 'apify'));
    world.adLibraries = { apify: library };
    // Long enough for an answer to be kept within it, on a busy machine too.
    world.config = { ...world.config, PROVIDER_LAG_SECONDS: 3 };
    const { id } = await world.process();
    await Promise.allSettled([1, 2, 3].map(() => world.run('search_ads', id)));
    // The first, whose answer was lost, and after the lag one of the three.
    expect(library.calls.filter((call) => call.startsWith('begin'))).toHaveLength(2);
    expect(await sources(id)).toMatchObject([{ ads: 2, state: 'ended' }]);
  });

  it('gives each country to the first library that covers it, and says so', async () => {
    world.adLibraries = {
      meta: fakeLibrary('meta', ['DE', 'FR'], [ads(1, 1)]),
      apify: fakeLibrary('apify', ['DE', 'US', 'ALL'], [ads(2, 2)]),
    };
    const { id } = await world.process({ countries: ['DE', 'US', 'FR'] });
    await world.run('search_ads', id);
    expect(await sources(id)).toMatchObject([
      { vendor: 'meta', countries: ['DE', 'FR'], note: null },
      {
        vendor: 'apify',
        countries: ['US'],
        note: 'The library meta does not cover US; apify was used',
      },
    ]);
  });

  it('says which countries nobody covers', async () => {
    world.adLibraries = { meta: fakeLibrary('meta', ['DE'], [ads(1, 1)]) };
    const { id } = await world.process({ countries: ['DE', 'US'] });
    await world.run('search_ads', id);
    expect((await sources(id))[0]!.note).toMatch(/covers US: not searched/);
  });

  it.each([[{}], [{ meta: fakeLibrary('meta', ['DE'], []) }]])(
    'fails with NO_AD_LIBRARY when no library covers any country',
    async (libraries) => {
      world.adLibraries = libraries;
      const { id } = await world.process({ countries: ['US'] });
      await expect(world.run('search_ads', id)).rejects.toMatchObject({ code: 'NO_AD_LIBRARY' });
    },
  );

  it.each(['auth', 'quota', 'rejected'] as const)(
    'goes to the alternate when a library answers %s, with a note (choice 63)',
    async (kind) => {
      const meta = fakeLibrary('meta', ['DE'], [ads(1, 2), ads(3, 4)]);
      const page = meta.page.bind(meta);
      meta.page = async (search, cursor) => {
        if (cursor === '1') throw trouble(kind, 'meta');
        return page(search, cursor);
      };
      const apify = fakeLibrary('apify', ['DE', 'US'], [ads(2, 6)]);
      world.adLibraries = { meta, apify };
      sitesWithPeople(1, 6);
      const { id } = await world.process({ countries: ['DE'] });
      await world.runAll(id);
      const [first, second] = await sources(id);
      expect(first).toMatchObject({ vendor: 'meta', state: 'failed', ads: 2 });
      expect(first!.note).toMatch(/; apify was used instead/);
      expect(second).toMatchObject({ vendor: 'apify', countries: ['DE'], state: 'ended' });
      expect((await expectExact(id)).found_leads).toBe(6);
    },
  );

  it('gives up a library that does not answer for a long time', async () => {
    const meta = fakeLibrary('meta', ['DE'], [ads(1, 2)]);
    meta.failures.push(...Array.from({ length: 30 }, () => trouble('unavailable', 'meta')));
    world.adLibraries = { meta, apify: fakeLibrary('apify', ['DE'], [ads(3, 3)]) };
    const { id } = await world.process({ countries: ['DE'] });
    let attempts = 1;
    while (
      await world.run('search_ads', id).then(
        () => false,
        () => true,
      )
    )
      attempts += 1;
    expect(attempts).toBe(12);
    expect(await sources(id)).toMatchObject([{ state: 'failed' }, { vendor: 'apify', ads: 1 }]);
  });

  it('fails with the reason when every library failed and nothing was found (choice 63)', async () => {
    const meta = fakeLibrary('meta', ['DE'], []);
    const apify = fakeLibrary('apify', ['DE'], []);
    meta.failures.push(trouble('auth', 'meta'));
    apify.failures.push(trouble('quota', 'apify'));
    world.adLibraries = { meta, apify };
    const { id } = await world.process({ countries: ['DE'] });
    await expect(world.run('search_ads', id)).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: expect.stringContaining('apify has no credits left'),
    });
  });

  it('is completed when the libraries know nobody', async () => {
    world.adLibraries = { meta: fakeLibrary('meta', ['DE'], []) };
    const { id } = await world.process({ countries: ['DE'] });
    expect(await world.runAll(id)).toEqual(['search_ads']);
  });

  it('ends what runs at the vendor, once', async () => {
    const library = fakeLibrary('apify', ['US'], [ads(1, 60), ads(61, 90), ads(91, 95)]);
    world.adLibraries = { apify: library };
    sitesWithPeople(1, 95);
    const { id } = await world.process({ leadCount: 10 });
    await world.runAll(id);
    expect(await sources(id)).toMatchObject([{ state: 'begun', cursor: '1' }]);
    const input = { processId: id, operationId: 1 };
    await world.activities.endSearches(input);
    await world.activities.endSearches(input);
    expect(library.ended).toEqual(['1']);
  });

  it('ends what was begun by a start whose answer was lost before the cancel', async () => {
    const library = fakeLibrary('apify', ['US'], [ads(1, 1)]);
    library.failures.push(trouble('outcome_unknown', 'apify'));
    world.adLibraries = { apify: library };
    const { id } = await world.process();
    const begin = library.begin.bind(library);
    library.begin = async (search, token) => {
      await world.db.updateTable('lead_processes').set({ status: 'cancelled' }).execute();
      return begin(search, token);
    };
    await world.run('search_ads', id);
    expect(await sources(id)).toMatchObject([{ state: 'waiting', cursor: null }]);
    const input = { processId: id, operationId: 1 };
    await expect(
      (async () => {
        for (;;) {
          const failure = await world.activities
            .endSearches(input)
            .catch((error: unknown) => error);
          if (!failure) return library.ended;
          expect(failure).toMatchObject({ kind: 'not_ready' });
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })(),
    ).resolves.toEqual(['0']);
    await world.activities.endSearches(input);
    expect(library.ended).toEqual(['0']);
  });

  it('ends what runs of a search that was given up, or had its fill', async () => {
    const given = fakeLibrary('meta', ['DE'], [ads(1, 1), ads(2, 2)]);
    const page = given.page.bind(given);
    given.page = async (search, cursor) => {
      if (cursor === '1') throw trouble('rejected', 'meta');
      return page(search, cursor);
    };
    const full = fakeLibrary('apify', ['DE'], [ads(1, 600), ads(601, 602)]);
    full.endFailures.push(trouble('unavailable', 'apify'));
    world.adLibraries = { meta: given, apify: full };
    const { id } = await world.process({ countries: ['DE'], leadCount: 1 });
    // Nobody is reachable, so that it searches on.
    await world.runAll(id);
    expect(await sources(id)).toMatchObject([
      { vendor: 'meta', state: 'failed', cursor: '1' },
      { vendor: 'apify', state: 'ended', cursor: '1' },
    ]);
    const input = { processId: id, operationId: 1 };
    given.endFailures.push(trouble('unavailable', 'meta'));
    await expect(world.activities.endSearches(input)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(full.ended).toEqual(['1']);
    await world.activities.endSearches(input);
    await world.activities.endSearches(input);
    expect([given.ended, full.ended]).toEqual([['1'], ['1']]);
    expect(await sources(id)).toMatchObject([{ state: 'failed' }, { state: 'ended' }]);
  });

  it('stops asking when ads keep leading to the same few companies', async () => {
    const same = (n: number) => ad(n, { landing: 'https://company-1.test/', pageId: 'p1' });
    const pages = Array.from({ length: 20 }, (_, i) =>
      Array.from({ length: 100 }, (_each, j) => same(i * 100 + j)),
    );
    const library = fakeLibrary('apify', ['US'], pages);
    world.adLibraries = { apify: library };
    const { id } = await world.process({ leadCount: 10 });
    await world.runAll(id);
    const [source] = await sources(id);
    expect(source).toMatchObject({ state: 'ended', ads: 500 });
    expect(source!.note).toBe('apify: stopped after 500 ads');
    expect(library.ended).toEqual(['5']);
  });

  it('says when a library ended before it had shown all ads, and keeps what it has shown', async () => {
    const library = fakeLibrary('apify', ['US'], [[ad(1)]]);
    library.endedEarly = 'The search ended early: it took too long';
    world.adLibraries = { apify: library };
    const { id } = await world.process({ leadCount: 10 });
    await world.runAll(id);
    expect(await sources(id)).toMatchObject([
      { state: 'ended', ads: 1, note: 'apify: The search ended early: it took too long' },
    ]);
  });
});
