/** /v1/operations: what clients see of their jobs, and what they may ask of them. Choice 91. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { removeListPortion } from '../../src/db/leads/list-deletions.ts';
import { rotateServerKeyFlow } from '../../src/domain/clusters/server-flows.ts';
import {
  clientKinds,
  clientResource,
  clientResources,
} from '../../src/domain/operations/client-operations.ts';
import { findFlow, FLOWS } from '../../src/domain/operations/flows.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { markOperationStarted } from '../../src/db/operations/operation-workflows.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { addCampaign, addMailboxes } from '../support/campaigns/campaign-world.ts';
import { addMessage, openMailbox } from '../support/inbox/inbox-messages.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addOperation, addProvisioning } from '../support/workflows/operations.ts';

const { api, database } = describeApi(() => ({
  context: { temporal, startOperation: async () => true } as unknown as Partial<Context>,
}));
let userId: string;
let token: string;
let count = 0;
const signals: [string, unknown][] = [];

/** The workflow hears at once: it goes on where it is told to. */
const temporal = {
  withDeadline: (_deadline: number, work: () => unknown) => work(),
  workflow: {
    getHandle: (workflowId: string) => ({
      signal: async (signal: { name: string }, answer: unknown) => {
        signals.push([signal.name, answer]);
        const blocked = database.db
          .selectFrom('operations')
          .selectAll()
          .where('blocked_at', 'is not', null);
        const one = (await blocked.execute()).find((each) => workflowIdOf(each) === workflowId);
        await sql`update operations set state = 'running', blocked_at = null, error_code = null,
          updated_at = now() where id = ${one?.id ?? null}`.execute(database.db);
      },
    }),
  },
};

beforeEach(async () => {
  userId = await userWith(database.db, 50_000);
  token = await api.jwt(userId);
  signals.length = 0;
});

const ask = (method: string, path: string, body?: object) =>
  api.call(method, `/v1/operations${path}`, { token, ...(body && { body }) });
const csv = async () => {
  const body = 'email\nada@acme.example\n';
  const headers = { 'content-type': 'text/csv' };
  return (await api.call('POST', '/v1/leads/import', { token, body, headers })).body.data.id;
};
const order = async () => {
  const body = { domain: `jobs-${(count += 1)}.com` };
  return (await api.call('POST', '/v1/clusters/create', { token, body })).body.data.id;
};

/** Of a cluster's provisioning, as its workflow leaves it. */
async function block(clusterId: number, actions: string[]): Promise<number> {
  const { id } = await database.db
    .selectFrom('operations')
    .select('id')
    .where('resource_type', '=', 'cluster')
    .where('resource_id', '=', clusterId)
    .executeTakeFirstOrThrow();
  const event = {
    operationId: id,
    kind: 'blocked',
    step: 'server_create',
    actor: 'system',
  } as const;
  await insertOperationEvent(database.db, {
    ...event,
    reason: 'hetzner: 401',
    detail: { actions },
  });
  await sql`update operations set state = 'blocked', step = 'server_create', blocked_at = now(),
    started_at = now(), error_code = 'PROVIDER_AUTH', error_message = 'hetzner answered 401'
    where id = ${id}`.execute(database.db);
  return id;
}

describe('GET /v1/operations', () => {
  it('lists all kinds of jobs, newest first, and what may be asked of each', async () => {
    const [cluster, imported] = [await order(), await csv()];
    await block(cluster, ['retry', 'adopt', 'compensate']);
    const { body } = await ask('GET', '');
    expect(body.meta.pagination).toMatchObject({ total: 2, hasNext: false });
    expect(body.data).toMatchObject([
      {
        kind: 'importLeads',
        resource: { type: 'lead_import', id: imported },
        state: 'pending',
        actions: ['cancel'],
        error: null,
      },
      {
        kind: 'provisionCluster',
        resource: { type: 'cluster', id: cluster },
        state: 'blocked',
        step: 'server_create',
        actions: ['retry', 'cancel'],
        error: {
          code: 'PROVIDER_AUTH',
          message: expect.stringMatching(/only an operator can cure/),
        },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/hetzner|401/);
    const { id } = body.data[1];
    expect((await ask('GET', `/${id}`)).body.data).toEqual(body.data[1]);
  });

  it.each(clientKinds(FLOWS))('lists and reads %s with its resource', async (kind) => {
    const flow = findFlow(kind)!;
    const given = { userId, workflowId: `${kind}/${userId}`, resourceId: 1 };
    const { id } = await addOperation(database.db, flow, given);
    const { body } = await ask('GET', `?kind=${kind}`);
    // Clients' word for a letter is its message, and this one has none.
    const resource = { type: clientResource(flow.resource), id: kind === 'sendReply' ? 0 : 1 };
    expect(body.data).toMatchObject([{ id, kind, resource, state: 'pending', error: null }]);
    expect((await ask('GET', '')).body.data).toEqual(body.data);
    expect((await ask('GET', `/${id}`)).body.data).toEqual(body.data[0]);
    expect(clientResources).toContain(resource.type);
  });

  it('tells a paused job from one that runs, and of an operator neither the name nor the reason', async () => {
    const { db } = database;
    const mailboxIds = await addMailboxes(api.context, userId, { count: 1 });
    const add = async (reason: 'user' | 'no_mailbox') => {
      const { campaignId: resourceId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
      await db
        .updateTable('campaigns')
        .set({ status: 'paused', pause_reason: reason })
        .where('id', '=', resourceId)
        .execute();
      const workflowId = `campaign/${resourceId}`;
      const one = await addOperation(db, findFlow('runCampaign')!, {
        userId,
        workflowId,
        resourceId,
      });
      await markOperationStarted(db, one.id);
      return one.id;
    };
    const [asked, byOwner, byService] = [
      await add('user'),
      await add('user'),
      await add('no_mailbox'),
    ];
    const request = (operationId: number, actor: string, reason: string) =>
      insertOperationEvent(db, {
        operationId,
        kind: 'pause_requested',
        step: null,
        actor,
        reason,
      });
    await request(asked, 'ann', 'sends to spam traps, legal is asked');
    await request(byOwner, `user:${userId}`, 'on holiday');
    const { body } = await ask('GET', '?state=paused');
    expect(body.data).toMatchObject([
      { id: byService, state: 'paused', message: 'Paused by the service: no_mailbox' },
      { id: byOwner, state: 'paused', message: `Paused by user:${userId}: on holiday` },
      { id: asked, state: 'paused', message: 'Paused by an operator' },
    ]);
    expect((await ask('GET', '?state=running')).body.data).toEqual([]);
    await sql`update campaigns set status = 'active', pause_reason = null`.execute(db);
    expect((await ask('GET', `/${asked}`)).body.data).toMatchObject({
      state: 'running',
      message: '',
    });
  });

  it('filters by state, kind and resource, and pages', async () => {
    const [first, second, imported] = [await order(), await order(), await csv()];
    await block(first, ['retry']);
    const found = async (query: string) => {
      const { body } = await ask('GET', `?${query}`);
      return body.data.map(({ resource }: { resource: { id: number } }) => resource.id);
    };
    expect(await found('state=blocked')).toEqual([first]);
    expect(await found('kind=provisionCluster')).toEqual([second, first]);
    expect(await found('kind=provisionCluster&limit=1&page=2')).toEqual([first]);
    expect(await found('resourceType=lead_import')).toEqual([imported]);
    expect(await found(`resourceType=cluster&resourceId=${second}`)).toEqual([second]);
    const { status, body } = await ask(
      'GET',
      '?state=stuck&kind=upgradeServer&resourceType=server',
    );
    expect([status, body.details.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['state', 'kind', 'resourceType'],
    ]);
  });

  it('shows neither the work of operators nor that of others', async () => {
    const work = { userId, workflowId: `server-key/${userId}`, resourceId: 1 };
    const { id } = await addOperation(database.db, rotateServerKeyFlow, work);
    const theirs = await addProvisioning(database.db, await userWith(database.db), {
      workflowId: `theirs/${userId}`,
    });
    expect((await ask('GET', '')).body.data).toEqual([]);
    for (const each of [id, theirs.id]) {
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/retry'],
        ['POST', '/cancel'],
      ]) {
        const { status, body } = await ask(method!, `/${each}${path}`);
        expect([status, body.code]).toEqual([404, 'OPERATION_NOT_FOUND']);
      }
    }
  });
});

describe('an answer', () => {
  it('runs the blocked step again, and is refused where that is not among the actions', async () => {
    const id = await block(await order(), ['retry', 'compensate']);
    const { status, body } = await ask('POST', `/${id}/retry`);
    expect([status, body.data.state]).toEqual([200, 'running']);
    expect(signals).toEqual([
      [
        'resolveBlockedStep',
        expect.objectContaining({
          step: 'server_create',
          action: 'retry',
          actor: `user:${userId}`,
        }),
      ],
    ]);
    // It goes on: nothing to do, and no second signal.
    expect((await ask('POST', `/${id}/retry`)).body.data.state).toBe('running');
    expect(signals).toHaveLength(1);
    const undecided = await block(await order(), ['adopt', 'compensate']);
    expect((await ask('POST', `/${undecided}/retry`)).body.code).toBe('INVALID_STATE');
    expect(signals).toHaveLength(1);
  });

  describe('of a reply', () => {
    /** A reply that waits for its time: its message in the inbox, and its operation. */
    async function scheduled() {
      const { mailboxId } = await openMailbox(api.context, userId);
      // So that messages and what was written have other ids.
      for (let n = 0; n < 2; n += 1) await addMessage(database.db, { userId, mailboxId });
      const { id } = await addMessage(database.db, { userId, mailboxId });
      const sendAt = new Date(Date.now() + 86_400_000).toISOString();
      const body = { body: 'Soon', sendAt };
      const made = await api.call('POST', `/v1/inbox/${id}/reply`, { token, body });
      const messageId = made.body.data.id as number;
      const listed = await ask('GET', `?resourceType=outgoing_message&resourceId=${messageId}`);
      return { messageId, operation: listed.body.data[0] };
    }
    const deliveryOf = async (messageId: number) =>
      (await api.call('GET', `/v1/inbox/${messageId}`, { token })).body.data.delivery.state;

    it('names its message in the inbox, and cancels it while it waits', async () => {
      const { messageId, operation } = await scheduled();
      const resource = { type: 'outgoing_message', id: messageId };
      expect(operation).toMatchObject({ kind: 'sendReply', resource, actions: ['cancel'] });
      for (let n = 0; n < 2; n += 1) {
        const { status, body } = await ask('POST', `/${operation.id}/cancel`);
        expect(status).toBe(200);
        expect(body.data).toMatchObject({ resource, actions: [] });
      }
      expect(await deliveryOf(messageId)).toBe('cancelled');
    });

    it('is cancelled among others, and not while it is being sent', async () => {
      const [one, other] = [await scheduled(), await scheduled()];
      await database.db
        .updateTable('outgoing_letters')
        .set({ state: 'sending' })
        .where('message_id', '=', other.messageId)
        .execute();
      const ids = [one.operation.id, other.operation.id];
      const { body } = await ask('POST', '/cancel', { ids });
      expect(body.data).toMatchObject([{ error: null }, { error: { code: 'INVALID_STATE' } }]);
      expect(await deliveryOf(one.messageId)).toBe('cancelled');
      expect(await deliveryOf(other.messageId)).toBe('sending');
    });
  });

  it('cancels a job by the row that it works for, as often as it is asked', async () => {
    const imported = await csv();
    const { id } = (await ask('GET', '')).body.data[0];
    await markOperationStarted(database.db, id);
    for (let n = 0; n < 2; n += 1) expect((await ask('POST', `/${id}/cancel`)).status).toBe(200);
    const { body } = await api.call('GET', `/v1/leads/import/${imported}`, { token });
    expect(body.data.status).toBe('cancelled');
    expect(signals.map(([name]) => name)).toEqual(['cancel']);
  });

  it('to several is refused for each by itself', async () => {
    const [first, second] = [await order(), await order()];
    const ids = [await block(first, ['retry']), await block(second, ['adopt']), 999_999];
    const { status, body } = await ask('POST', '/retry', { ids: [...ids, ids[0]] });
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { id: ids[0], operation: { state: 'running' }, error: null },
      { id: ids[1], operation: null, error: { code: 'INVALID_STATE' } },
      { id: 999_999, operation: null, error: { code: 'OPERATION_NOT_FOUND' } },
    ]);
    expect((await ask('POST', '/cancel', { ids: [] })).status).toBe(400);
  });
});

describe('the deletion of a big list', () => {
  it('says how many of its leads are removed, until it is over', async () => {
    const list = { token, body: { name: 'Big' } };
    const listId = (await api.call('POST', '/v1/lead-lists', list)).body.data.id;
    const { db } = database;
    await sql`with company as (
        insert into companies (user_id, lead_list_id, name, name_key)
        values (${userId}, ${listId}, 'Acme', 'acme') returning id)
      insert into leads (user_id, company_id, name_key, email, email_key)
      select ${userId}, company.id, '', email, email from company,
        generate_series(1, ${LEADS}::int) as n, lateral (select 'p' || n || '@big.test' as email)`.execute(
      db,
    );
    const gone = await api.call('DELETE', `/v1/lead-lists/${listId}`, { token });
    expect(gone.body.data).toMatchObject({ deleted_leads: LEADS });
    const told = async () => {
      const { body } = await ask('GET', '?kind=deleteLeadList');
      expect((await ask('GET', `/${body.data[0].id}`)).body.data).toEqual(body.data[0]);
      return body.data[0].progress;
    };
    expect(await told()).toEqual({ done: 0, total: LEADS });
    expect(await removeListPortion(db, listId, 5_000)).toMatchObject({ isDone: false });
    expect(await told()).toEqual({ done: 5_000, total: LEADS });
    while (!(await removeListPortion(db, listId, 5_000)).isDone) continue;
    expect(await told()).toBeNull();
  });
});

/** More than a request removes itself. */
const LEADS = 10_001;
