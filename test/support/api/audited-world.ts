/** An account with a key of its own, and vendors that agree to everything: for requests of every operation. */
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Context } from '../../../src/context.ts';
import type { Operation } from '../../../src/db/operations/operations.ts';
import { credit } from '../../../src/db/wallet/ledger.ts';
import { SCOPES } from '../../../src/http/scopes.ts';
import { startCampaignUsers, type CampaignUsers } from '../campaigns/campaign-users.ts';
import { movement } from '../wallet/wallet.ts';
import type { TestAnswer } from './api.ts';
import { recordIdOf } from './owned-resources.ts';

export interface AuditedWorld {
  users: CampaignUsers;
  db: CampaignUsers['database']['db'];
  userId: string;
  keyId: string;
  key: string;
  call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<TestAnswer>;
  /** `data` of a call that must succeed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any shape
  ok: (method: string, path: string, body?: unknown) => Promise<any>;
  close: () => Promise<void>;
}

const RECORDS = [{ id: 'r1', type: 'TXT', name: 'old', value: 'hello', ttl: 300 }];

const QUOTE = { available: true, premium: false, priceCents: 1_200, termYears: 1 };

/** One whose id no other domain has. */
const ownRecord = (domain: string) => ({
  id: recordIdOf(domain),
  type: 'TXT',
  name: 'own',
  value: 'hello',
  ttl: 300,
});

/** As an owner gives it at the vendor. */
export const CONSENT = {
  refreshToken: 'canary-password-10',
  accessToken: 'canary-password-11',
  expiresInSeconds: 3_600,
  subject: 'subject-1',
  addresses: ['consenting@elsewhere.test'],
  username: 'consenting@elsewhere.test',
} as const;

/** What is asked of vendors; what they are told of a payment is its amount. */
const vendors = (sessionOf: () => string, payerOf: () => string) => {
  const checkout = () => ({
    sessionId: sessionOf(),
    url: 'https://checkout.example.test',
    status: 'open',
    paymentStatus: 'unpaid',
    amountCents: 5_000,
    currency: 'usd',
    askedCents: 5_000,
    userId: payerOf(),
    paymentId: null,
  });
  return {
    payments: {
      name: 'stub',
      createCheckout: async () => checkout(),
      findCheckout: async () => checkout(),
      forgetMethod: async () => undefined,
      readEvent: () => ({
        eventId: `evt_${sessionOf()}`,
        type: 'checkout.session.expired',
        kind: 'checkout',
        checkout: { ...checkout(), status: 'expired' },
      }),
    },
    registrars: {
      namecom: {
        name: 'namecom',
        recordTypes: ['TXT', 'MX', 'A'],
        quote: async () => QUOTE,
        quoteAll: async (domains: readonly string[]) =>
          domains.map((domain) => ({ ...QUOTE, domain })),
        find: async () => ({
          expiresAt: '2027-04-01T00:00:00.000Z',
          purchasedAt: '2026-04-01T00:00:00.000Z',
        }),
        listRecords: async (domain: string) => [...RECORDS, ownRecord(domain)],
        createRecord: async (_domain: string, input: object) => ({ id: 'r2', ttl: 300, ...input }),
        updateRecord: async (_domain: string, id: string, input: object) => ({ id, ...input }),
        deleteRecord: async () => undefined,
      },
    },
    maps: { apify: {} },
    mailboxOauth: {
      google: {
        name: 'google',
        consentUrl: async ({ state }: { state: string }) =>
          `https://consent.example.test/?state=${state}`,
        exchange: async () => CONSENT,
      },
    },
    dns: { resolveTxt: async () => [] },
    webhookEndpoints: {
      refusal: () => undefined,
      deliver: async () => ({ status: 200, error: null }),
    },
    mailTransport: {
      openImap: async () => ({
        download: async () => Readable.from([Buffer.from('hello')]),
        close: async () => undefined,
      }),
      compose: async () => Buffer.from('a message'),
      openSubmission: async () => ({
        send: async () => ({ reply: '250 queued', refused: [] }),
        isUsable: () => true,
        close: () => undefined,
      }),
    },
  };
};

export async function startAuditedWorld(): Promise<AuditedWorld> {
  let sessions = 0;
  let payer = '';
  const stubs = vendors(
    () => `cs_test_${sessions}`,
    () => payer,
  );
  const { createCheckout } = stubs.payments;
  stubs.payments.createCheckout = () => {
    sessions += 1;
    return createCheckout();
  };
  /** Temporal is down, and starts nothing; but for mailboxes, whose making a request waits for. */
  const startOperation = async ({ id, kind }: Operation) => {
    const made = users.database.db.updateTable('operations').set({ state: 'succeeded' });
    if (kind === 'createMailbox') await made.where('id', '=', id).execute();
    return false;
  };
  const users: CampaignUsers = await startCampaignUsers({
    ...stubs,
    startOperation,
  } as unknown as Partial<Context>);
  const { userId } = await users.newUser();
  payer = userId;
  const { db } = users.database;
  await db.transaction().execute((trx) => credit(trx, movement(userId, 100_000_000)));
  const token = await users.api.jwt(userId);
  const body = { name: 'all', scopes: SCOPES };
  const { body: made } = await users.api.call('POST', '/api/keys', { token, body });
  const { id: keyId, key } = made.data;
  const call: AuditedWorld['call'] = (method, path, given, headers) =>
    users.api.call(method, path, {
      token: key,
      ...(given !== undefined && { body: given }),
      ...(headers && { headers }),
    });
  const ok: AuditedWorld['ok'] = async (method, path, given) => {
    const answer = await call(method, path, given);
    if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  return { users, db, userId, keyId, key, call, ok, close: () => users.close() };
}

/** Notes every transaction that changes something, but for what each request does: counting, its own row, the entry. */
export async function noteChanges(owner: { query(text: string): Promise<unknown> }): Promise<void> {
  await owner.query(`
    create table noted_changes (name text not null, txid xid8 not null default pg_current_xact_id());
    grant select, insert on noted_changes to outreach_app;
    create function note_change() returns trigger language plpgsql as $$
      begin insert into noted_changes (name) values (tg_table_name); return null; end $$;
    do $$ declare each record; begin
      for each in select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in
          ('noted_changes', 'audit_log', 'idempotency_keys', 'rate_counters', 'kysely_migration',
           'kysely_migration_lock')
      loop
        execute format('create trigger noted after insert or update or delete on %I
          for each row execute function note_change()', each.relname);
      end loop;
    end $$`);
}

/** Tables that were changed in the transaction of an entry. */
export async function changedWith(db: AuditedWorld['db'], entryId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from noted_changes where txid::text = (
      select xmin::text from audit_log where id = ${entryId}) order by name`.execute(db);
  return rows.map(({ name }) => name);
}
