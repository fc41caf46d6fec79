/**
 * An account in which every implemented operation of the spec succeeds; workflows and vendors are
 * stubs.
 */
import type { Context } from '../../../src/context.ts';
import { credit } from '../../../src/db/wallet/ledger.ts';
import { startTestApi, type TestApi } from './api.ts';
import { createTestDatabase } from '../database/database.ts';
import { movement } from '../wallet/wallet.ts';

export interface SpecWorld {
  api: TestApi;
  token: string;
  /** Ids that paths of the spec need. */
  ids: {
    key: string;
    domain: number;
    cluster: number;
    discovery: number;
    leadList: number;
    oldLeadList: number;
    mapsRun: number;
  };
  close(): Promise<void>;
}

const record = { id: 'r1', type: 'TXT', name: '@', value: 'hello', ttl: 300 };
const checkout = {
  sessionId: 'cs_test_1',
  url: 'https://checkout.example.test/cs_test_1',
  status: 'open',
  paymentStatus: 'unpaid',
  amountCents: 5_000,
  userId: 'user-1',
  paymentId: null,
};

const stubs = {
  payments: {
    name: 'stub',
    createCheckout: async () => checkout,
    findCheckout: async () => checkout,
  },
  registrars: {
    namecom: {
      name: 'namecom',
      recordTypes: ['TXT', 'MX', 'A'],
      quote: async () => ({ available: true, premium: false, priceCents: 1_200, termYears: 1 }),
      listRecords: async () => [record],
      createRecord: async (_domain: string, input: object) => ({ ...record, ...input }),
    },
  },
  maps: { apify: {} },
  // Signals have no receiver.
  temporal: {
    withDeadline: (_at: number, work: () => Promise<unknown>) => work(),
    workflow: { getHandle: () => ({ signal: async () => undefined }) },
  },
  // The spec's answers depend on the rows only; workflows are tested elsewhere.
  startOperation: async () => false,
};

export async function createSpecWorld(): Promise<SpecWorld> {
  const database = await createTestDatabase();
  const { db } = database;
  const api = await startTestApi({ database, context: stubs as unknown as Partial<Context> });
  const token = await api.jwt();
  const made = async (path: string, body: object) => {
    const { status, body: answer } = await api.call('POST', path, { token, body });
    if (status > 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const key = await made('/api/keys', { name: 'spec' });
  await db.transaction().execute((trx) => credit(trx, movement('user-1', 20_000)));
  const cluster = await made('/v1/clusters/create', { domain: 'first.com' });
  const domain = await made('/v1/domains', { domain: 'second.com' });
  const leadList = await made('/v1/lead-lists', { name: 'Spring' });
  const oldLeadList = await made('/v1/lead-lists', { name: 'Autumn' });
  const people = [{ firstName: 'Ada', lastName: 'King', email: 'ada@acme.example' }];
  await made('/v1/leads', { company_name: 'Acme', leadListId: leadList.id, people });
  const discovery = await made('/v1/leads/process', { searchTerm: 'yoga mats' });
  const search = { searchStringsArray: ['florist'], leadListId: leadList.id };
  const mapsRun = await made('/v1/maps-scraper/runs', search);
  // As the workflows would leave them.
  await db.updateTable('maps_runs').set({ status: 'completed' }).execute();
  await db.updateTable('clusters').set({ status: 'active' }).execute();
  await db
    .updateTable('domains')
    .set({ status: 'active', purchased_at: new Date(), expires_at: new Date() })
    .execute();
  return {
    api,
    token,
    ids: {
      discovery: discovery.id,
      key: key.id,
      domain: domain.id,
      cluster: cluster.id,
      leadList: leadList.id,
      oldLeadList: oldLeadList.id,
      mapsRun: mapsRun.id,
    },
    async close() {
      await api.close();
      await database.close();
    },
  };
}
