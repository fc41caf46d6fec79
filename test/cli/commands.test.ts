/** The command line: what it prints for people and programs, and how it ends. */
import { createServer, type AddressInfo } from 'node:net';
import { WorkflowNotFoundError } from '@temporalio/client';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { findWallet } from '../../src/db/wallet/wallets.ts';
import { runCommand } from '../../src/cli/program.ts';
import type { Context } from '../../src/context.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { handOver, putOff } from '../../src/db/shards/shard-jobs.ts';
import { runCampaignFlow } from '../../src/domain/campaigns/flows.ts';
import { syncInboxFlow } from '../../src/domain/inbox/flows.ts';
import type { ResourceType } from '../../src/domain/operations/flows.ts';
import { resolveOperation } from '../../src/services/operations/ops.ts';
import { reconcileBooksByHandId } from '../../workflows/contracts/reconcile.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addOperation, addProvisioning } from '../support/workflows/operations.ts';

/** Nobody listens there. */
const NO_TEMPORAL = '127.0.0.1:9';

let database: TestDatabase;
let userId: string;
let waiting: number;

beforeAll(async () => {
  database = await createTestDatabase();
  userId = await userWith(database.db, 5_000);
  waiting = await blockedOperation('cluster/1/1', 'no\u001B[31m capacity\nat all');
});

afterAll(() => database?.close());

/** An operation that waits for a person at `server_create`, or elsewhere. */
async function blockedOperation(
  workflowId: string,
  message: string,
  at: {
    step?: string;
    resourceType?: ResourceType;
    resourceId?: number;
    vendors?: string[];
  } = {},
): Promise<number> {
  const { db } = database;
  const { step = 'server_create', resourceType = 'cluster', resourceId = 1, vendors = [] } = at;
  const { id } = await addProvisioning(db, userId, {
    workflowId,
    resourceType,
    resourceId,
    steps: [{ name: step, state: 'blocked' }],
  });
  await sql`update operations set state = 'blocked', step = ${step}, blocked_at = now(),
    started_at = now(), error_code = 'NO_CAPACITY', error_message = ${message}
    where id = ${id}`.execute(db);
  await insertOperationEvent(db, {
    operationId: id,
    kind: 'blocked',
    step,
    actor: 'system',
    reason: message,
    detail: { hint: 'Raise the limit.', actions: ['retry', 'compensate'], vendors },
  });
  return id;
}

const outreach = (...argv: string[]) =>
  outreachIn({ DATABASE_URL: database.url, TEMPORAL_ADDRESS: NO_TEMPORAL }, ...argv);

async function outreachIn(environment: Record<string, string>, ...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    environment,
  };
  const code = await runCommand(argv, io);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('outreach ops', () => {
  it('lists what waits as a table, without what a vendor could do to a terminal', async () => {
    const { code, out } = await outreach('ops', 'list', '--blocked', '--step', 'server_create');
    expect(code).toBe(0);
    const [head, line] = out.split('\n');
    expect(head).toMatch(/^ID +RESOURCE +KIND +STATE +STEP +VENDOR +WAITS +WHY$/);
    expect(line).toContain('NO_CAPACITY: no [31m capacity at all');
    expect(out).not.toContain('\u001B');
    const none = await outreach('ops', 'list', '--blocked', '--kind', 'buyDomain');
    expect(none).toMatchObject({ code: 0, out: 'Nothing.' });
  });

  it('says what a job waits for that is not blocked, and what deviated in a step', async () => {
    const { db } = database;
    const { id } = await addProvisioning(db, userId, {
      workflowId: 'cluster/2/1',
      resourceId: 2,
      steps: [{ name: 'server_create', state: 'completed', note: 'hetzner had no capacity' }],
    });
    await sql`update operations set state = 'running', step = 'dns_setup', started_at = now(),
      message = 'Waiting until you set these DNS records' where id = ${id}`.execute(db);
    const campaign = await addOperation(db, runCampaignFlow, {
      userId,
      workflowId: 'campaign/77/1',
      resourceId: 77,
    });
    await handOver(db, { operationId: campaign.id, turn: 1, build: null, now: new Date() });
    const job = { operation_id: campaign.id, turn: 1, wakes: 0 };
    const until = new Date('2199-01-02T03:04:05Z');
    const now = new Date();
    await putOff(db, job, { until, now, note: 'Outside its sending window' });
    const { out } = await outreach('ops', 'list');
    expect(out).toMatch(
      new RegExp(`^${id} .* running +dns_setup .*Waiting until you set these DNS records$`, 'm'),
    );
    const rest = 'Outside its sending window; looked at again at 2199-01-02T03:04:05Z';
    expect(out).toMatch(new RegExp(`^${campaign.id} .*${rest}$`, 'm'));
    expect((await outreach('ops', 'show', `${campaign.id}`)).out).toContain(rest);
    const shown = await outreach('ops', 'show', `${id}`);
    expect(shown.out).toContain('Waiting until you set these DNS records');
    expect(shown.out).toMatch(/server_create +completed +hetzner had no capacity/);
    const shards = await outreach('shards');
    expect(shards.out).toMatch(
      /^campaign +1 +2199-01-02T03:04:05.000Z +Outside its sending window$/m,
    );
    await sql`delete from shard_jobs where operation_id = ${campaign.id}`.execute(db);
    await sql`update operations set finished_at = now()
      where id in (${id}, ${campaign.id})`.execute(db);
  });

  it('lists for programs', async () => {
    const { code, out } = await outreach('ops', 'list', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { id: waiting, resource: 'cluster/1', state: 'blocked', errorCode: 'NO_CAPACITY', userId },
    ]);
  });

  it('shows one with what to do, its steps and its log', async () => {
    const { code, out } = await outreach('ops', 'show', String(waiting));
    expect(code).toBe(0);
    expect(out).toContain('What to do: Raise the limit.');
    expect(out).toContain('Possible: retry, compensate');
    expect(out).toMatch(new RegExp(`requested +- +user:${userId} +created`));
    const { log } = JSON.parse((await outreach('ops', 'show', `${waiting}`, '--json')).out) as {
      log: { kind: string }[];
    };
    expect(log.map(({ kind }) => kind)).toEqual(['requested', 'blocked']);
  });

  it('refuses what is not there, not blocked, not possible, or without a reason', async () => {
    const why = ['--reason', 'because'];
    const codeOf = async (...argv: string[]) => (await outreach('ops', ...argv)).code;
    expect(await codeOf('show', '999999')).toBe(3);
    expect(await codeOf('resolve', '999999', '--action', 'retry', ...why)).toBe(3);
    expect(await codeOf('resolve', `${waiting}`, '--action', 'skip', ...why)).toBe(4);
    expect(await codeOf('resolve', `${waiting}`, '--action', 'retry')).toBe(2);
    expect(await codeOf('resolve', `${waiting}`, '--action', 'retry', '--reason', ' ')).toBe(2);
    expect(await codeOf('resolve', `${waiting}`, '--action', 'forget', ...why)).toBe(2);
    const neither = await outreach('ops', 'retry-all', ...why);
    expect(neither).toMatchObject({ code: 2, err: expect.stringMatching(/--step.*--provider/) });
    expect(await codeOf('show', 'seven')).toBe(2);
    expect(await codeOf('nonsense')).toBe(2);
  });

  it('fails where Temporal does not answer, and changes nothing', async () => {
    const words = ['--action', 'retry', '--reason', 'because'];
    const { code, err } = await outreach('ops', 'resolve', `${waiting}`, ...words);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'Temporal does not answer; nothing was lost, try again',
    });
    expect((await outreach('ops', 'list', '--blocked', '--json')).out).toContain('"blocked"');
  });

  it('says that the workflow is gone, and leaves it to the reconciler', async () => {
    const signal = async () => {
      throw new WorkflowNotFoundError('not found', 'cluster/1/1', undefined);
    };
    const temporal = {
      withDeadline: (_at: number, work: () => Promise<unknown>) => work(),
      workflow: { getHandle: () => ({ signal }) },
    } as unknown as Context['temporal'];
    const answer = { action: 'retry', actor: 'operator:ann', reason: 'because' } as const;
    const resolved = resolveOperation({ db: database.db, temporal }, waiting, answer);
    await expect(resolved).rejects.toMatchObject({ kind: 'invalid', code: 'WORKFLOW_GONE' });
    expect((await outreach('ops', 'list', '--blocked', '--json')).out).toContain('"blocked"');
  });

  it('says whose answer was taken where another one came first', async () => {
    const id = await blockedOperation('cluster/9/1', 'no capacity');
    const answered = async (actor: string, action: string) => {
      const line = { operationId: id, kind: 'resolved', step: 'server_create' } as const;
      await insertOperationEvent(database.db, { ...line, actor, reason: 'so', detail: { action } });
    };
    const temporal = {
      withDeadline: (_at: number, work: () => Promise<unknown>) => work(),
      workflow: { getHandle: () => ({ signal: () => answered('operator:bob', 'retry') }) },
    } as unknown as Context['temporal'];
    const resolve = (action: 'retry' | 'compensate') =>
      resolveOperation({ db: database.db, temporal }, id, {
        action,
        actor: 'operator:ann',
        reason: 'because',
      });
    await expect(resolve('compensate')).rejects.toMatchObject({
      code: 'NOT_BLOCKED',
      message: expect.stringContaining('operator:bob has answered it with retry'),
    });
    expect(await resolve('retry')).toEqual({ step: 'server_create', taken: true });
    await sql`update operations set blocked_at = null, finished_at = now()
      where id = ${id}`.execute(database.db);
  });

  it('has nothing to do at a step where nothing waits', async () => {
    const words = ['--step', 'verify', '--reason', 'because'];
    const { code, out } = await outreach('ops', 'retry-all', ...words);
    expect({ code, out }).toEqual({ code: 0, out: '0 blocked at verify: 0 resumed.' });
    const provider = await outreach('ops', 'retry-all', '--provider', 'porkbun', '--reason', 'so');
    expect(provider).toMatchObject({ code: 0, out: '0 blocked by porkbun: 0 resumed.' });
  });

  it.each([
    ['retry-all', '--reason', 'because'],
    ['list', '--blocked'],
  ])('%s refuses a step that no flow has, and names those that there are', async (...argv) => {
    const { code, out, err } = await outreach('ops', ...argv, '--step', 'nonsense');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/nonsense.*wallet_hold.*server_create/s);
  });
});

describe('outreach ops list --provider', () => {
  it('finds what was not asked for yet: renewals, teardowns, DNS', async () => {
    const { db } = database;
    const domain = await db
      .insertInto('domains')
      .values({ user_id: userId, name: 'vendors.com', provider: 'porkbun' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const serverId = await addServer(db, {
      user_id: userId,
      provider: 'vultr',
      host_name: 'mail.vendors.com',
    });
    const cluster = await db
      .insertInto('clusters')
      .values({
        user_id: userId,
        domain_id: domain.id,
        server_id: serverId,
        name: 'vendors.com',
        status: 'deleting',
        use_existing_vps: false,
        operation_id: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const renewal = await db
      .insertInto('domain_renewals')
      .values({ user_id: userId, domain_id: domain.id, expires_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const resources: [string, ResourceType, number][] = [
      ['domain_renewal', 'domain_renewal', renewal.id],
      ['dns_withdraw', 'cluster', cluster.id],
      ['server_delete', 'cluster', cluster.id],
    ];
    const ids: number[] = [];
    for (const [step, resourceType, resourceId] of resources) {
      const at = { step, resourceType, resourceId };
      ids.push(await blockedOperation(`vendors/${step}`, 'token expired', at));
    }
    const listed = async (provider: string) => {
      const { out } = await outreach('ops', 'list', '--blocked', '--provider', provider, '--json');
      return (JSON.parse(out) as { id: number }[])
        .map(({ id }) => id)
        .filter((id) => ids.includes(id));
    };
    const [renew, dns, destroy] = ids;
    expect([await listed('porkbun'), await listed('vultr')]).toEqual([[renew, dns], [destroy]]);
    await sql`update operations set blocked_at = null, finished_at = now()
      where workflow_id like 'vendors/%'`.execute(db);
  });
});

describe('outreach ops --provider', () => {
  it('finds what several vendors refused by each of them, not by the last one alone', async () => {
    const { db } = database;
    const id = await blockedOperation('both/1', 'No vendor gave a server', {
      vendors: ['hetzner', 'vultr'],
    });
    const asked = { operation_id: id, step: 'server_create', asked_until: new Date() };
    for (const [at, provider] of ['hetzner', 'vultr'].entries()) {
      const intent = { provider, token: `both-${provider}`, generation: at + 1, external_id: null };
      await db
        .insertInto('provider_resources')
        .values({ ...asked, ...intent })
        .execute();
    }
    const listed = async (provider: string) =>
      (await outreach('ops', 'list', '--blocked', '--provider', provider)).out;
    for (const provider of ['hetzner', 'vultr']) {
      expect(await listed(provider)).toMatch(new RegExp(`^${id} .* hetzner, vultr `, 'm'));
    }
    expect(await listed('porkbun')).toBe('Nothing.');
    await sql`update operations set blocked_at = null where id = ${id}`.execute(db);
    expect((await outreach('ops', 'show', `${id}`, '--json')).out).toMatch(
      /"vendors": \[\s+"vultr"\s+\]/,
    );
    await sql`update operations set finished_at = now() where id = ${id}`.execute(db);
  });

  it.each([
    ['retry-all', '--step', 'server_create', '--reason', 'because'],
    ['list', '--blocked'],
  ])('%s refuses a vendor that nobody has, and names those that there are', async (...argv) => {
    const { code, out, err } = await outreach('ops', ...argv, '--provider', 'hetznr');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/hetznr.*namecom.*hetzner/s);
  });
});

describe('outreach ops of a sync', () => {
  it('counts and names the mailboxes that are not read, and runs once it has started', async () => {
    const { db } = database;
    const domain = { user_id: userId, name: 'unread.com', provider: 'porkbun' };
    const { id: domainId } = await db
      .insertInto('domains')
      .values(domain)
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: clusterId } = await db
      .insertInto('clusters')
      .values({
        user_id: userId,
        domain_id: domainId,
        server_id: null,
        name: 'unread.com',
        status: 'active',
        use_existing_vps: false,
        operation_id: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`with made as (
        insert into mailboxes (user_id, cluster_id, email, status) values
          (${userId}, ${clusterId}, 'well@unread.com', 'active'),
          (${userId}, ${clusterId}, 'ill@unread.com', 'active') returning id, email)
      insert into mailbox_syncs (mailbox_id, error, reason, failing_since)
      select id, 'AUTHENTICATIONFAILED', 'login_refused', now() - interval '3 hours'
      from made where email like 'ill@%'`.execute(db);
    const { id } = await addOperation(db, syncInboxFlow, {
      userId,
      workflowId: 'inbox/unread',
      summary: 'Read the mailboxes of unread.com',
      resourceId: clusterId,
    });
    const listed = async () => (await outreach('ops', 'list', '--kind', 'syncInbox')).out;
    expect(await listed()).toMatch(/ pending .* 1 mailbox is not read$/m);
    await sql`update operations set started_at = now() where id = ${id}`.execute(db);
    expect(await listed()).toMatch(/ running .* 1 mailbox is not read$/m);
    const { out } = await outreach('ops', 'show', `${id}`);
    expect(out).toMatch(/ill@unread\.com +3 h|ill@unread\.com +180 min/);
    expect(out).toMatch(/login_refused +AUTHENTICATIONFAILED$/m);
    expect(out).not.toContain('well@unread.com');
    await sql`update operations set finished_at = now() where id = ${id}`.execute(db);
  });
});

describe('outreach --json', () => {
  it('of token gives the token and until when it is good', async () => {
    const environment = { JWT_SECRET: 'a secret of thirty-two characters' };
    const { code, out } = await outreachIn(environment, 'token', '--user-id', 'ann', '--json');
    expect(code).toBe(0);
    const { token, expiresAt, userId: of } = JSON.parse(out) as Record<string, string>;
    expect(of).toBe('ann');
    const exp = decodeJwt(token!).exp!;
    expect(expiresAt).toBe(new Date(exp * 1_000).toISOString());
  });

  it('of migrate gives what was applied', async () => {
    const environment = { DATABASE_OWNER_URL: database.ownerUrl, DATABASE_URL: database.url };
    const { code, out } = await outreachIn(environment, 'migrate', '--json');
    expect({ code, out: JSON.parse(out) as unknown }).toEqual({ code: 0, out: { applied: [] } });
  });
});

describe('outreach reconcile', () => {
  it('refuses a subject where nothing is to be healed', async () => {
    const { code, err } = await outreach('reconcile', '--subject', 'hetzner/outreach-7-1');
    expect({ code, err }).toEqual({
      code: 2,
      err: '--subject says what to heal: it needs --heal.',
    });
  });

  it('that heals never waits for a run that does not, nor for one about something else', () => {
    const ids = [
      reconcileBooksByHandId({ heal: 'none' }),
      reconcileBooksByHandId({ heal: 'safe' }),
      reconcileBooksByHandId({ heal: 'safe', subject: 'hetzner/a' }),
      reconcileBooksByHandId({ heal: 'safe', subject: 'hetzner/b' }),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});

describe('outreach wallet audit', () => {
  it('ends with 0 where all agrees and with 5 where something does not', async () => {
    expect(await outreach('wallet', 'audit')).toMatchObject({
      code: 0,
      out: 'Everything agrees with the ledger.',
    });
    const change = (by: number) =>
      sql`update wallets set available_cents = available_cents + ${by}`.execute(database.db);
    await change(1);
    const { code, out, err } = await outreach('wallet', 'audit');
    expect(code).toBe(5);
    expect(out).toContain(userId);
    expect(err).toBe('1 do not agree with the ledger.');
    await change(-1);
  });
});

describe('outreach wallet adjust', () => {
  const words = ['--reason', 'Goodwill, ticket 811', '--actor', 'ann'];
  const adjust = (...argv: string[]) => outreach('wallet', 'adjust', ...argv, ...words);
  const latest = () =>
    database.db
      .selectFrom('ledger_transactions')
      .select(['type', 'amount_cents', 'description', 'reference_type', 'reference_id'])
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
  const available = async () => (await findWallet(database.db, userId)).availableCents;

  it('adds once per key, is shown to the client, and says who did it and why', async () => {
    const before = await available();
    const { code, out } = await adjust(userId, '--amount', '12.50', '--key', 'ticket-811');
    expect([code, out]).toEqual([0, expect.stringContaining(`$12.50 for ${userId}`)]);
    expect(await available()).toBe(before + 1_250);
    expect(await latest()).toEqual({
      type: 'adjustment',
      amount_cents: 1_250,
      description: 'Adjustment: Goodwill, ticket 811',
      reference_type: 'adjustment',
      reference_id: 'ticket-811',
    });
    const again = await adjust(userId, '--amount', '12.50', '--key', 'ticket-811', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ isRepeated: true });
    expect(await available()).toBe(before + 1_250);
    const kept = database.db.selectFrom('wallet_adjustments').select(['actor', 'reason']);
    expect(await kept.where('adjustment_key', '=', 'ticket-811').execute()).toEqual([
      { actor: 'operator:ann', reason: 'Goodwill, ticket 811' },
    ]);
    expect(await auditWallets(database.db)).toEqual([]);
  });

  it('takes what is available, and never more', async () => {
    const before = await available();
    expect(await adjust(userId, '--amount=-2')).toMatchObject({ code: 0 });
    expect(await available()).toBe(before - 200);
    const { code, err } = await adjust(userId, '--amount=-999999');
    expect([code, err]).toEqual([4, expect.stringContaining('$999999.00 cannot be taken')]);
    expect(await available()).toBe(before - 200);
    expect(await auditWallets(database.db)).toEqual([]);
  });

  it.each(['0', '1.5', '12,50', '$3', '1e3', '0.005', '--5'])(
    'refuses %s as an amount',
    async (amount) => {
      expect(await adjust(userId, `--amount=${amount}`)).toMatchObject({ code: 2 });
    },
  );

  it('knows no such user, and wants a reason', async () => {
    expect(await adjust('nobody', '--amount', '1')).toMatchObject({ code: 3 });
    const silent = await outreach('wallet', 'adjust', userId, '--amount', '1');
    expect(silent).toMatchObject({ code: 2, err: expect.stringContaining('--reason') });
  });

  it('keeps its records: they are changed by nobody', async () => {
    const change = sql`update wallet_adjustments set reason = 'another'`.execute(database.db);
    await expect(change).rejects.toMatchObject({ code: '42501' });
  });
});

describe('outreach clusters watch', () => {
  it('says that there is no such cluster', async () => {
    expect(await outreach('clusters', 'watch', '999999')).toMatchObject({ code: 3 });
  });
});

describe('outreach --help', () => {
  it.each([
    '',
    'ops',
    'ops list',
    'ops show',
    'ops resolve',
    'ops retry-all',
    'clusters',
    'clusters watch',
    'clusters smarthost',
    'wallet',
    'wallet audit',
    'wallet adjust',
    'reconcile',
    'token',
    'migrate',
  ])('of "%s" shows examples', async (command) => {
    const { code, out } = await outreach(...command.split(' ').filter(Boolean), '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/Examples?:\n {2}\$ /);
  });

  it('tells what exit codes mean', async () => {
    expect((await outreach('--help')).out).toContain('4  refused');
  });
});

describe('an installation', () => {
  it('that is not described anywhere is asked for by name', async () => {
    const err: string[] = [];
    const io = {
      out: () => undefined,
      err: (text: string) => void err.push(text),
      environment: {},
    };
    expect(await runCommand(['ops', 'list', '--world', '/nowhere/world.json'], io)).toBe(1);
    expect(err.join('\n')).toContain('DATABASE_URL is not set');
  });
});

describe('Postgres that does not answer', () => {
  const asked = async (databaseUrl: string, argv: string[]) => {
    const err: string[] = [];
    const environment = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: NO_TEMPORAL };
    const io = { out: () => undefined, err: (text: string) => void err.push(text), environment };
    return { code: await runCommand(argv, io), err: err.join('\n') };
  };

  it.each([[['ops', 'list']], [['ops', 'show', '1']], [['wallet', 'audit']]])(
    'is named with its host and without its password by %j',
    async (argv) => {
      const { code, err } = await asked('postgres://app:p4ss@127.0.0.1:9/outreach', argv);
      expect(code).toBe(1);
      expect(err).toContain('Postgres at 127.0.0.1:9 does not answer: connect ECONNREFUSED');
      expect(err).not.toContain('p4ss');
    },
  );

  it('is named where it hangs, too', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    try {
      const { code, err } = await asked(`postgres://app:p4ss@127.0.0.1:${port}/x`, ['ops', 'list']);
      expect(code).toBe(1);
      expect(err).toContain(`Postgres at 127.0.0.1:${port} does not answer: `);
      expect(err).not.toContain('p4ss');
    } finally {
      silent.close();
    }
  });
});
