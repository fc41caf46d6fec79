/** What is done for domains once a day: told once, renewed once, watched. Choices 25, 45. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { domainUpkeepActivities } from '../../activities/domains/domain-upkeep.ts';
import type { Context } from '../../src/context.ts';
import { setExpiry } from '../../src/db/domains/domain-renewals.ts';
import { insertRenewal } from '../../src/transactions/renew-domain.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { userWith } from '../support/wallet/wallet.ts';

const DAY_MS = 86_400_000;
const PACE = { retryPace: 1, heartbeatSeconds: 20, blockedTimeoutSeconds: 60 };
const REQUESTED = { actor: 'system', reason: 'it ends' };

let database: TestDatabase;
let api: TestApi;
let userId: string;
let started: Operation[];
/** Ends of terms at the registrar, by name; an absent one is not in the account. */
let ends: Map<string, Date>;
let isDown: boolean;
/** How many looks the registrar's limit refuses. */
let hasty = 0;
let answers: Map<string, string[]>;
let activities: ReturnType<typeof domainUpkeepActivities>;

const registrar = {
  name: 'namecom',
  async find(domain: string) {
    if (hasty > 0) {
      hasty -= 1;
      throw new ProviderError('rate_limited', 'slower', { provider: 'namecom', retryAfterMs: 1 });
    }
    if (isDown) throw new ProviderError('unavailable', 'down', { provider: 'namecom' });
    const expiresAt = ends.get(domain)?.toISOString();
    return expiresAt ? { domain, purchasedAt: expiresAt, expiresAt } : null;
  },
};
const look = async (name: string) => {
  if (isDown) throw new ProviderError('unavailable', 'no answer', { provider: 'dns' });
  return answers.get(name) ?? [];
};
const dns = {
  resolveA: look,
  resolveNs: look,
  resolveTxt: look,
  resolveCaa: async () => [],
  resolveMx: async (name: string) =>
    (await look(`mx:${name}`)).map((exchange) => ({ exchange, priority: 10 })),
};

beforeAll(async () => {
  database = await createTestDatabase();
  const stubs = {
    registrars: { namecom: registrar },
    dns,
    startOperation: async (operation: Operation) => started.push(operation) > 0,
    logger: { warn: () => undefined, error: () => undefined },
  };
  const environment = { DOMAIN_RENEWAL_PRICE_CENTS: '1500' };
  api = await startTestApi({
    database,
    context: stubs as unknown as Partial<Context>,
    environment,
  });
  activities = domainUpkeepActivities(api.context);
});
afterAll(async () => {
  await api.close();
  await database.close();
});
beforeEach(async () => {
  await database.db.deleteFrom('clusters').execute();
  await database.db.updateTable('domains').set({ status: 'failed' }).execute();
  [started, ends, isDown, answers] = [[], new Map(), false, new Map()];
  userId = await userWith(database.db, 2_000);
});

let names = 0;
async function giveDomain(
  inDays: number,
  facts: { autoRenew?: boolean; atRegistrar?: number } = {},
) {
  const name = `upkeep-${(names += 1)}.com`;
  const at = (days: number) => new Date(Date.now() + days * DAY_MS);
  ends.set(name, at(facts.atRegistrar ?? inDays));
  const { id } = await database.db
    .insertInto('domains')
    .values({
      user_id: userId,
      name,
      provider: 'namecom',
      status: 'active',
      expires_at: at(inDays),
      auto_renew: facts.autoRenew ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}
/** As `renewDomains` does it. */
async function run() {
  const { due, nextId } = await activities.listDueDomains({ afterId: 0 });
  let found = 0;
  for (const { domainId } of due) {
    if ((await activities.renewDueDomain({ domainId })).begun) found += 1;
  }
  return { nextId, found };
}
const events = () =>
  database.db
    .selectFrom('events')
    .select(['type', 'resource', 'payload'])
    .where('user_id', '=', userId)
    .where('type', 'in', ['domain.expiring', 'domain.dns_failing'])
    .orderBy('id')
    .execute();

describe('what is done for a domain that ends soon', () => {
  it('tells once per expiry of each that ends soon, and renews those that shall', async () => {
    const manual = await giveDomain(29);
    const auto = await giveDomain(5, { autoRenew: true });
    await giveDomain(31, { autoRenew: true });
    expect(await run()).toEqual({ nextId: null, found: 1 });
    expect(await run()).toEqual({ nextId: null, found: 0 });
    expect(
      (await events()).map(({ resource, payload }) => [resource, payload['autoRenew']]),
    ).toEqual([
      [`domain/${manual.id}`, false],
      [`domain/${auto.id}`, true],
    ]);
    expect(started.map(({ kind, summary }) => `${kind}: ${summary}`)).toEqual([
      `renewDomain: Renew ${auto.name}`,
    ]);
  });

  it('tells again of the next expiry', async () => {
    const { id, name } = await giveDomain(3);
    await run();
    const next = new Date(Date.now() + 10 * DAY_MS);
    ends.set(name, next);
    await database.db
      .updateTable('domains')
      .set({ expires_at: next })
      .where('id', '=', id)
      .execute();
    await run();
    expect(await events()).toHaveLength(2);
  });

  it('believes the registrar: what was renewed there is neither told nor renewed', async () => {
    const { id } = await giveDomain(3, { autoRenew: true, atRegistrar: 368 });
    expect((await run()).found).toBe(0);
    const { body } = await api.call('GET', `/v1/domains/${id}`, { token: await api.jwt(userId) });
    expect(Date.parse(body.data.expiresAt)).toBeGreaterThan(Date.now() + 360 * DAY_MS);
    expect(await events()).toEqual([]);
  });

  it('notes a domain that is not at its registrar, and counts those of a registrar that is not configured', async () => {
    const gone = await giveDomain(5, { autoRenew: true });
    ends.delete(gone.name);
    const other = await giveDomain(5, { autoRenew: true });
    await database.db
      .updateTable('domains')
      .set({ provider: 'porkbun' })
      .where('id', '=', other.id)
      .execute();
    expect(await activities.listDueDomains({ afterId: 0 })).toEqual({
      due: [{ domainId: gone.id, registrar: 'namecom' }],
      unconfigured: 1,
      nextId: null,
    });
    expect(await activities.renewDueDomain({ domainId: gone.id })).toEqual({
      begun: false,
      isNoted: true,
    });
  });

  it('a look that is older than a renewal neither renews again nor puts the end back', async () => {
    const { id, name } = await giveDomain(5, { autoRenew: true });
    const expiresAt = ends.get(name)!;
    const until = new Date(expiresAt.getTime() + 365 * DAY_MS);
    await database.db
      .insertInto('domain_renewals')
      .values({
        user_id: userId,
        domain_id: id,
        expires_at: expiresAt,
        state: 'done',
        new_expires_at: until,
      })
      .execute();
    // The page was listed before the renewal, so the job comes to it all the same.
    expect([(await run()).found, started, await events()]).toEqual([0, [], []]);
    const look = { domainId: id, expiresAt, now: new Date() };
    expect(await setExpiry(database.db, look)).toBe(false);
    const begin = (now: Date) =>
      database.db.transaction().execute((trx) =>
        insertRenewal(trx, {
          ...look,
          now,
          priceCents: 0,
          pace: PACE,
          requested: REQUESTED,
          spending: api.context.config,
        }),
      );
    expect(await begin(look.now)).toBeUndefined();
    // A day later the registrar is believed: a renewal may have been taken back there.
    expect(await begin(new Date(Date.now() + 2 * DAY_MS))).toBeDefined();
  });

  it('tells that the renewal fails, again a week and a day before, and shows why', async () => {
    const { id } = await giveDomain(10, { autoRenew: true });
    const poor = await userWith(database.db, 10);
    await database.db.updateTable('domains').set({ user_id: poor }).where('id', '=', id).execute();
    userId = poor;
    const told = async () => (await events()).map(({ payload }) => payload['renewalError']);
    const on = async (daysLeft: number) => {
      api.context.clock.now = () => new Date(Date.now() + (10 - daysLeft) * DAY_MS);
      await run();
      await run();
      return (await told()).length;
    };
    const real = { ...api.context.clock };
    expect([await on(10), await on(8), await on(6), await on(5), await on(0.5)]).toEqual([
      1, 1, 2, 2, 3,
    ]);
    Object.assign(api.context.clock, real);
    expect(new Set(await told())).toEqual(new Set(['INSUFFICIENT_BALANCE']));
    const { body } = await api.call('GET', `/v1/domains/${id}`, { token: await api.jwt(poor) });
    expect(body.data.renewal).toMatchObject({
      status: 'failed',
      error: { code: 'INSUFFICIENT_BALANCE' },
    });
    const kept = await database.db
      .selectFrom('domain_renewals')
      .select('id')
      .where('domain_id', '=', id)
      .execute();
    expect(kept).toHaveLength(1);
  });

  it('tells that the limit of a day keeps a domain from being renewed, and shows the newest words', async () => {
    const { id } = await giveDomain(5, { autoRenew: true });
    const { config } = api.context;
    const now = { ...api.context.clock };
    Object.assign(api.context, { config: { ...config, DOMAIN_SPENDING_CAP_CENTS: 100 } });
    const shown = async () => {
      const token = await api.jwt(userId);
      return (await api.call('GET', `/v1/domains/${id}`, { token })).body.data.renewal;
    };
    try {
      expect((await run()).found).toBe(0);
      const told = (await events()).map(({ resource, payload }) => [
        resource,
        payload['renewalError'],
      ]);
      expect(told).toEqual([[`domain/${id}`, 'DOMAIN_SPENDING_LIMIT']]);
      const first = await shown();
      expect(first).toMatchObject({ status: 'failed', error: { code: 'DOMAIN_SPENDING_LIMIT' } });
      api.context.clock.now = () => new Date(Date.now() + DAY_MS);
      await run();
      expect((await shown()).error.message).not.toBe(first.error.message);
    } finally {
      Object.assign(api.context, { config });
      Object.assign(api.context.clock, now);
    }
    const rows = await database.db
      .selectFrom('domain_renewals')
      .select('state')
      .where('domain_id', '=', id)
      .execute();
    expect(rows).toEqual([{ state: 'failed' }]);
    expect((await run()).found).toBe(1);
  });

  it('tells by what a renewal is blocked, as long as it is', async () => {
    const { id } = await giveDomain(10, { autoRenew: true });
    await run();
    const [renewal] = started;
    const block = (blocked_at: Date | null) =>
      database.db
        .updateTable('operations')
        .set({ blocked_at, error_code: 'PROVIDER_AUTH' })
        .where('id', '=', renewal!.id)
        .execute();
    await block(new Date());
    const real = { ...api.context.clock };
    api.context.clock.now = () => new Date(Date.now() + 4 * DAY_MS);
    await run();
    await block(null);
    api.context.clock.now = () => new Date(Date.now() + 9.5 * DAY_MS);
    await run();
    Object.assign(api.context.clock, real);
    const told = (await events()).filter(({ resource }) => resource === `domain/${id}`);
    expect(told.map(({ payload }) => payload['renewalError'])).toEqual([null, 'PROVIDER_AUTH']);
  });

  it('an older run still does it page by page', async () => {
    await giveDomain(2, { autoRenew: true });
    expect(await activities.renewDueDomains({ afterId: 0 })).toEqual({ nextId: null, found: 1 });
  });

  it('a wallet without money or a lost domain keeps no other one waiting', async () => {
    const lost = await giveDomain(2, { autoRenew: true });
    ends.delete(lost.name);
    const rich = await giveDomain(2, { autoRenew: true });
    await giveDomain(2, { autoRenew: true });
    expect((await run()).found).toBe(1);
    expect(started.map(({ summary }) => summary)).toEqual([`Renew ${rich.name}`]);
  });

  it('a registrar with a limit is waited for at the domain that met it', async () => {
    await giveDomain(2, { autoRenew: true });
    hasty = 3;
    expect([(await run()).found, hasty]).toEqual([1, 0]);
  });

  it('a registrar that is down is asked again tomorrow; an imported domain is nobody’s to renew', async () => {
    isDown = true;
    const { id } = await giveDomain(2, { autoRenew: true });
    expect((await run()).found).toBe(0);
    isDown = false;
    await database.db
      .updateTable('domains')
      .set({ provider: 'manual' })
      .where('id', '=', id)
      .execute();
    expect([(await run()).found, await events()]).toEqual([0, []]);
  });
});

describe('watchDomains and GET /v1/domains/:id/health', () => {
  let domain: { id: number; name: string };
  beforeEach(async () => {
    domain = await giveDomain(100);
    const key = Buffer.from('sealed');
    const serverId = await addServer(database.db, {
      user_id: userId,
      host_name: `mail.${domain.name}`,
      ipv4: '198.18.0.1',
    });
    await database.db
      .updateTable('domains')
      .set({ dkim_selector: 's1', dkim_public_key: 'KEY', dkim_private_key: key })
      .where('id', '=', domain.id)
      .execute();
    await database.db
      .insertInto('clusters')
      .values({
        user_id: userId,
        domain_id: domain.id,
        server_id: serverId,
        name: domain.name,
        status: 'active',
        use_existing_vps: false,
        operation_id: null,
      })
      .execute();
    answers = new Map([
      [domain.name, ['v=spf1 mx include:x.test -all']],
      [`mail.${domain.name}`, ['198.18.0.1']],
      [`mx:${domain.name}`, [`mail.${domain.name}`]],
      [`s1._domainkey.${domain.name}`, ['v=DKIM1; k=rsa; p=KEY']],
      [`_dmarc.${domain.name}`, ['v=DMARC1; p=reject']],
    ]);
  });
  const watch = () => activities.watchDomains({ afterId: 0 });
  const health = async () => {
    const token = await api.jwt(userId);
    const { body } = await api.call('GET', `/v1/domains/${domain.id}/health`, { token });
    const states = body.data.checks.map((one: { name: string; state: string }) => [
      one.name,
      one.state,
    ]);
    return { ...body.data, states: Object.fromEntries(states) };
  };

  it('a domain whose records are as they must be is fine, however its owner widened them', async () => {
    const seen = await health();
    expect([seen.status, seen.requiredRecords.length]).toEqual(['ok', 8]);
    expect([await watch(), await events()]).toEqual([{ nextId: null, found: 0 }, []]);
  });

  it('a domain whose last renewal failed is warned of, though it renews by itself', async () => {
    const { user_id, expires_at } = await database.db
      .updateTable('domains')
      .set({ auto_renew: true })
      .where('id', '=', domain.id)
      .returning(['user_id', 'expires_at'])
      .executeTakeFirstOrThrow();
    const renewal = { user_id, domain_id: domain.id, expires_at: expires_at! };
    await database.db
      .insertInto('domain_renewals')
      .values({ ...renewal, state: 'failed', error_code: 'RENEWAL_ABOVE_CAP', error_message: '-' })
      .execute();
    const { status, states } = await health();
    expect([status, states.expiry]).toEqual(['warning', 'warning']);
    await database.db.deleteFrom('domain_renewals').where('domain_id', '=', domain.id).execute();
  });

  it('says what is missing, wrong or there twice', async () => {
    answers.delete(`_dmarc.${domain.name}`);
    answers.set(`mx:${domain.name}`, ['other.test']);
    answers.set(domain.name, ['v=spf1 -all', 'v=spf1 mx -all']);
    const { status, states, checks } = await health();
    expect([status, states]).toEqual([
      'failing',
      {
        delegation: 'ok',
        address: 'ok',
        mx: 'failing',
        spf: 'failing',
        dkim: 'ok',
        dmarc: 'failing',
        caa: 'ok',
        expiry: 'ok',
        alignment: 'not_applicable',
      },
    ]);
    const texts = checks.map(({ message }: { message: string }) => message).join('\n');
    expect(texts).toMatch(/MX .* says other\.test/);
    expect(texts).toContain('there 2 times');
  });

  it('tells clients once that it fails, and again only after it was fine', async () => {
    answers.delete(`s1._domainkey.${domain.name}`);
    expect([(await watch()).found, (await watch()).found]).toEqual([1, 1]);
    const told = await events();
    expect(told.map(({ type, payload }) => [type, payload['checks']])).toEqual([
      ['domain.dns_failing', ['dkim']],
    ]);
    answers.set(`s1._domainkey.${domain.name}`, ['v=DKIM1; k=rsa; p=KEY']);
    await watch();
    answers.delete(`s1._domainkey.${domain.name}`);
    await watch();
    expect(await events()).toHaveLength(2);
  });

  it('knows nothing where no resolver answers, and tells nobody', async () => {
    isDown = true;
    const { status, states } = await health();
    expect([status, states.mx, states.expiry]).toEqual(['unknown', 'unknown', 'ok']);
    expect([(await watch()).found, await events()]).toEqual([0, []]);
  });

  it('without a cluster nothing of mail is needed; a near end is a warning', async () => {
    await database.db.deleteFrom('clusters').execute();
    const soon = new Date(Date.now() + 3 * DAY_MS);
    await database.db
      .updateTable('domains')
      .set({ expires_at: soon })
      .where('id', '=', domain.id)
      .execute();
    const { status, states, requiredRecords } = await health();
    expect([status, states.mx, states.expiry, requiredRecords]).toEqual([
      'warning',
      'not_applicable',
      'warning',
      [],
    ]);
  });
});
