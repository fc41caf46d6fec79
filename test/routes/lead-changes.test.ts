/** One lead, read, changed and deleted; many, deleted and moved. Choices 17, 18, 58. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tombstoneHash } from '../../src/db/leads/lead-locks.ts';
import { startLeadWorld, type LeadWorld } from '../support/leads/lead-users.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await startLeadWorld();
});
afterAll(() => world.close());

const newUser = () => world.newUser();

const ann = { firstName: 'Ann', lastName: 'Lee', email: 'ann@acme.com' };
const acme = { company_name: 'Acme', people: [ann] };

describe('GET /v1/leads/:id', () => {
  it('shows a lead and where each of its fields came from', async () => {
    const { ok } = await newUser();
    const { company_id, leads } = await ok('POST', '/v1/leads', { ...acme, source: 'fair' });
    await ok('PATCH', `/v1/leads/${leads[0].id}`, { personRole: 'CEO' });
    const lead = await ok('GET', `/v1/leads/${leads[0].id}`);
    expect(lead).toMatchObject({
      personFirstName: 'Ann',
      companyId: company_id,
      companyName: 'Acme',
      leadListId: null,
      validationScore: null,
      emailValid: null,
    });
    const { createdAt: at, updatedAt } = lead;
    expect(lead.provenance.fields).toEqual({
      personFirstName: { source: 'fair', at },
      personLastName: { source: 'fair', at },
      personEmail: { source: 'fair', at },
      companyId: { source: 'fair', at },
      personRole: { source: 'user', at: expect.any(String) },
    });
    expect(updatedAt >= at).toBe(true);
  });

  it('answers a foreign one like a missing one', async () => {
    const [mine, other] = [await newUser(), await newUser()];
    const { ids } = await other.add('Acme', ['Ann']);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { personRole: 'CEO' } : undefined;
      const foreign = await mine.call(method, `/v1/leads/${ids[0]}`, body);
      const missing = await mine.call(method, '/v1/leads/999999', body);
      expect({ status: foreign.status, code: foreign.body.code }).toEqual({
        status: 404,
        code: 'LEAD_NOT_FOUND',
      });
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    expect((await mine.call('GET', '/v1/leads/abc')).body.code).toBe('INVALID_INPUT');
  });
});

describe('PATCH /v1/leads/:id', () => {
  it('changes what is given, and takes away what is null', async () => {
    const { ok } = await newUser();
    const person = { ...ann, role: 'CEO', phone: '+1 555 010 0000' };
    const { leads } = await ok('POST', '/v1/leads', { ...acme, people: [person] });
    const changed = await ok('PATCH', `/v1/leads/${leads[0].id}`, {
      personLastName: 'Ray',
      personRole: null,
    });
    expect(changed).toMatchObject({
      personFirstName: 'Ann',
      personLastName: 'Ray',
      personRole: null,
      personEmail: 'ann@acme.com',
    });
  });

  it('forgets the validation of an address that is replaced', async () => {
    const { userId, ok, add } = await newUser();
    const { ids } = await add('Acme', ['Ann']);
    await world.database.db
      .updateTable('leads')
      .set({ validation_score: 95, email_valid: true, validation_status: 'valid' })
      .where('user_id', '=', userId)
      .execute();
    expect(await ok('PATCH', `/v1/leads/${ids[0]}`, { personRole: 'CEO' })).toMatchObject({
      validationScore: 95,
    });
    expect(await ok('PATCH', `/v1/leads/${ids[0]}`, { personEmail: 'new@acme.com' })).toMatchObject(
      {
        personEmail: 'new@acme.com',
        validationScore: null,
        emailValid: null,
      },
    );
  });

  it('is found by the new address, and by the old one no more', async () => {
    const { ok, add } = await newUser();
    const { ids } = await add('Acme', ['Ann']);
    await ok('PATCH', `/v1/leads/${ids[0]}`, {
      personEmail: 'new@acme.com',
      personFirstName: 'Eve',
    });
    const again = await ok('POST', '/v1/leads', {
      company_name: 'Acme',
      people: [{ ...ann, email: 'NEW@acme.com' }],
    });
    expect(again.leads[0].id).toBe(ids[0]);
    expect((await add('Acme', ['Ann'])).ids[0]).not.toBe(ids[0]);
  });

  it('400 when the address is another lead’s, was erased, or is the last way to reach somebody', async () => {
    const { userId, call, add } = await newUser();
    const { ids } = await add('Acme', ['Ann', 'Bob']);
    const change = (body: object) => call('PATCH', `/v1/leads/${ids[0]}`, body);
    const taken = await change({ personEmail: 'BOB@acme.example' });
    expect({ status: taken.status, code: taken.body.code }).toEqual({
      status: 400,
      code: 'LEAD_EXISTS',
    });
    await world.database.db
      .insertInto('erasure_tombstones')
      .values({ user_id: userId, key_hash: tombstoneHash(userId, 'email:gone@acme.com') })
      .execute();
    expect((await change({ personEmail: 'gone@acme.com' })).body.code).toBe('PERSON_ERASED');
    expect((await change({ personEmail: null })).body.code).toBe('VALIDATION_ERROR');
    expect((await change({ personEmail: 'ann@' })).body.details[0].field).toBe('personEmail');
  });

  it('follows the suppressions of the new address', async () => {
    const { userId, ok, add } = await newUser();
    const { ids } = await add('Acme', ['Ann']);
    await world.database.db
      .insertInto('suppressions')
      .values({
        user_id: userId,
        kind: 'domain',
        value: 'no.example',
        reason: 'manual',
        note: null,
      })
      .execute();
    const change = (personEmail: string) => ok('PATCH', `/v1/leads/${ids[0]}`, { personEmail });
    expect((await change('ann@mail.no.example')).status).toBe('suppressed');
    expect((await change('ann@yes.example')).status).toBe('pending');
  });

  it('moves a lead to another company of the account, and to no foreign one', async () => {
    const [mine, other] = [await newUser(), await newUser()];
    const { ids } = await mine.add('Acme', ['Ann']);
    const globex = await mine.add('Globex', ['Bob']);
    const theirs = await other.add('Acme', ['Ann']);
    const move = (companyId: number) => mine.call('PATCH', `/v1/leads/${ids[0]}`, { companyId });
    expect((await move(globex.company_id)).body.data.companyName).toBe('Globex');
    expect((await move(theirs.company_id)).body.code).toBe('COMPANY_NOT_FOUND');
  });
});

describe('deleting and moving leads', () => {
  it('DELETE /v1/leads/:id deletes one', async () => {
    const { ok, call, add } = await newUser();
    const { ids } = await add('Acme', ['Ann', 'Bob']);
    expect(await ok('DELETE', `/v1/leads/${ids[0]}`)).toEqual({ id: ids[0] });
    expect((await call('GET', `/v1/leads/${ids[0]}`)).status).toBe(404);
    expect(await ok('GET', '/v1/leads')).toHaveLength(1);
  });

  it('POST /v1/leads/bulk-delete deletes the account’s, and tells the others', async () => {
    const [mine, other] = [await newUser(), await newUser()];
    const { ids } = await mine.add('Acme', ['Ann', 'Bob', 'Cyd']);
    const theirs = await other.add('Acme', ['Ann']);
    const given = [ids[0]!, ids[1]!, ids[1]!, theirs.ids[0]!, 999_999];
    expect(await mine.ok('POST', '/v1/leads/bulk-delete', { ids: given })).toEqual({
      deletedLeads: 2,
      missingIds: [theirs.ids[0], 999_999],
    });
    expect(await other.ok('GET', '/v1/leads')).toHaveLength(1);
    expect((await mine.call('POST', '/v1/leads/bulk-delete', { ids: [] })).status).toBe(400);
  });

  it('POST /v1/leads/move moves the companies of the leads, colleagues included', async () => {
    const { ok, add } = await newUser();
    const [spring, autumn] = [
      await ok('POST', '/v1/lead-lists', { name: 'Spring' }),
      await ok('POST', '/v1/lead-lists', { name: 'Autumn' }),
    ];
    const { ids } = await add('Acme', ['Ann', 'Bob'], spring.id);
    const alone = await ok('POST', '/v1/leads', {
      personFirstName: 'Cyd',
      personLastName: 'Ray',
      personEmail: 'cyd@example.com',
    });
    const given = [ids[0], alone.leads[0].id, 999_999];
    expect(await ok('POST', '/v1/leads/move', { ids: given, leadListId: autumn.id })).toEqual({
      leadListId: autumn.id,
      movedCompanies: 1,
      movedLeads: 2,
      knownCompanies: [],
      withoutCompanyIds: [alone.leads[0].id],
      missingIds: [999_999],
    });
    expect(await ok('GET', `/v1/lead-lists/${autumn.id}/leads`)).toHaveLength(2);
    expect(await ok('GET', `/v1/lead-lists/${spring.id}/leads`)).toEqual([]);
  });

  it('404 for a list of another user', async () => {
    const [mine, other] = [await newUser(), await newUser()];
    const { ids } = await mine.add('Acme', ['Ann']);
    const list = await other.ok('POST', '/v1/lead-lists', { name: 'Theirs' });
    const { body } = await mine.call('POST', '/v1/leads/move', { ids, leadListId: list.id });
    expect(body.code).toBe('LEAD_LIST_NOT_FOUND');
  });
});
