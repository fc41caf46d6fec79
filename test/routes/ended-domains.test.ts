/** Names that an account of ours had before: ended, or for sale again. Choice 162. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { endDomain } from '../../src/db/domains/ended-domains.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

/** What the registrar sells; all else is somebody's. */
let forSale: Set<string>;
/** What our account still has. */
let kept: Set<string>;
const quoteOf = (domain: string) => {
  const available = forSale.has(domain);
  const priceCents = available ? 1_200 : null;
  return { domain, available, premium: false, priceCents, renewalCents: priceCents, termYears: 1 };
};
const registrar = {
  name: 'namecom',
  recordTypes: ['A'],
  quote: async (domain: string) => quoteOf(domain),
  quoteAll: async (domains: string[]) => domains.map(quoteOf),
  find: async (domain: string) => (kept.has(domain) ? { domain } : null),
};

const texts = new Map<string, string[]>();
const dns = { resolveTxt: async (at: string) => texts.get(at) ?? [] };

const { api, database } = describeApi(() => {
  const silent = { error: () => undefined, warn: () => undefined };
  const stubs = {
    registrars: { namecom: registrar },
    dns,
    startOperation: async () => false,
    logger: silent,
  };
  return { context: stubs as unknown as Partial<Context> };
});
let owner: { userId: string; token: string };
let other: typeof owner;
let name: string;
let names = 0;

beforeAll(async () => {
  const user = async () => {
    const userId = await userWith(database.db, 50_000);
    return { userId, token: await api.jwt(userId) };
  };
  [owner, other] = [await user(), await user()];
});
beforeEach(() => {
  name = `ended-${(names += 1)}.com`;
  forSale = new Set([name]);
  kept = new Set();
});

/** A domain of the owner whose term ends in so many days. */
async function owned(inDays: number | null, provider = 'namecom'): Promise<number> {
  const expires_at = inDays === null ? null : new Date(Date.now() + inDays * DAY_MS);
  const { id } = await database.db
    .insertInto('domains')
    .values({ user_id: owner.userId, name, provider, status: 'active', expires_at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const clusterOn = (domainId: number, serverId: number | null = null) =>
  database.db
    .insertInto('clusters')
    .values({
      user_id: owner.userId,
      domain_id: domainId,
      server_id: serverId,
      name,
      status: 'active',
      use_existing_vps: false,
      operation_id: null,
    })
    .execute();
const buy = async ({ token }: typeof owner) => {
  const { status, body } = await api.call('POST', '/v1/domains', { token, body: { domain: name } });
  return [status, body.code ?? body.data.status];
};
const createCluster = async ({ token }: typeof owner) => {
  const order = { token, body: { domain: name } };
  const { status, body } = await api.call('POST', '/v1/clusters/create', order);
  return [status, body.code ?? body.data.status];
};
const isAvailable = async ({ token }: typeof owner = other) => {
  const order = { token, body: { domains: [name] } };
  return (await api.call('POST', '/v1/domains/check', order)).body.data[0].available;
};
const read = async (id: number) =>
  (await api.call('GET', `/v1/domains/${id}`, { token: owner.token })).body.data;

describe('a domain whose term is over and which is for sale again', () => {
  it('is bought anew by its owner, and the row of before says what became of it', async () => {
    const id = await owned(-50);
    expect(await isAvailable()).toBe(true);
    expect(await buy(owner)).toEqual([201, 'pending']);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      isActive: false,
      error: { code: 'DOMAIN_EXPIRED', message: expect.stringContaining('ended') },
    });
    // Asked again, it is the purchase that is under way.
    expect(await buy(owner)).toEqual([201, 'pending']);
    expect(await buy(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
  });

  it('is bought by another account, too, and with a cluster', async () => {
    await owned(-50);
    expect(await buy(other)).toEqual([201, 'pending']);
    name = 'ended-with-cluster.com';
    forSale.add(name);
    await owned(-50);
    expect(await createCluster(owner)).toEqual([201, 'provisioning']);
  });

  it('stays its owner’s while a cluster is on it', async () => {
    await clusterOn(await owned(-50));
    expect(await isAvailable()).toBe(false);
    expect(await buy(owner)).toEqual([400, 'DOMAIN_ALREADY_OWNED']);
    expect(await buy(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
    expect(await createCluster(owner)).toEqual([400, 'DOMAIN_ALREADY_OWNED']);
  });

  it('gets no cluster while its name is being sold', async () => {
    const id = await owned(-50);
    const row = await database.db
      .selectFrom('domains')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const path = '/v1/clusters/create-with-existing-domain';
    const order = { token: owner.token, body: { domain: name } };
    const answer = await database.db.transaction().execute(async (trx) => {
      await endDomain(trx, row, { userId: other.userId, now: new Date() });
      const asked = api.call('POST', path, order);
      // It has read the domain then, and waits for this transaction.
      await untilWaiting(database.db);
      return { asked };
    });
    const { status, body } = await answer.asked;
    expect([status, body.code]).toEqual([404, 'DOMAIN_NOT_FOUND']);
    expect(body.details).toEqual([
      { field: 'domain', message: `domain: domain ${name} not found` },
    ]);
  });

  it('is bought back by its owner alone while a server of theirs is named after it', async () => {
    await owned(-50);
    const { userId: user_id } = owner;
    const server_id = await addServer(database.db, {
      user_id,
      host_name: `mail.${name}`,
      status: 'active',
    });
    const carried = await database.db
      .insertInto('domains')
      .values({ user_id, name: `on-${name}`, provider: 'namecom', status: 'active' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await clusterOn(carried.id, server_id);
    // Whoever had the name could lead the mail of the domains on that server elsewhere.
    expect(await buy(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
    expect(await createCluster(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
    expect(await isAvailable(other)).toBe(false);
    expect(await isAvailable(owner)).toBe(true);
    expect(await buy(owner)).toEqual([201, 'pending']);
    // Nor after that purchase has failed.
    const row = database.db.updateTable('domains').where('name', '=', name);
    await row.set({ status: 'failed' }).execute();
    expect(await buy(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
    expect(await createCluster(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
    expect(await isAvailable(other)).toBe(false);
  });

  it('stays its owner’s while a renewal is under way', async () => {
    const domain_id = await owned(-5);
    const renewal = { user_id: owner.userId, domain_id, expires_at: new Date() };
    await database.db.insertInto('domain_renewals').values(renewal).execute();
    expect(await buy(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
  });
});

describe('a domain whose term is over and that was registered elsewhere', () => {
  beforeEach(() => {
    forSale.clear();
    texts.clear();
  });
  const bringIn = async ({ token }: typeof owner) => {
    const order = { token, body: { domain: name } };
    const { body } = await api.call('POST', '/v1/domains/import', order);
    if (!body.data) return body.code;
    const { id, verification } = body.data;
    texts.set(verification.name, [verification.value]);
    const done = await api.call('POST', `/v1/domains/${id}/verify`, { token });
    return done.body.code ?? done.body.data.status;
  };

  it('is imported by whoever proves to own it, and the row of before says so', async () => {
    const id = await owned(-50);
    expect(await bringIn(other)).toBe('active');
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'DOMAIN_EXPIRED' } });
  });

  it('is imported by its former owner, too', async () => {
    await owned(-50);
    expect(await bringIn(owner)).toBe('active');
  });

  it.each([
    [
      'our account still has it',
      async () => {
        await owned(-50);
        kept.add(name);
      },
    ],
    ['its term goes on', () => owned(5)],
    ['a cluster is on it', async () => clusterOn(await owned(-50))],
  ])('is not imported by others where %s', async (_, begin) => {
    await begin();
    expect(await bringIn(other)).toBe('DOMAIN_UNAVAILABLE');
    expect(await bringIn(owner)).toBe('DOMAIN_ALREADY_OWNED');
  });
});

describe('an import that is for sale', () => {
  it('has no owner elsewhere any more, and is bought', async () => {
    const id = await owned(null, 'manual');
    expect(await buy(other)).toEqual([201, 'pending']);
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'DOMAIN_EXPIRED' } });
  });
});

describe('a domain that is somebody’s', () => {
  it('because its registrar keeps it for a while after its end is its owner’s', async () => {
    await owned(-5);
    forSale.clear();
    expect(await buy(owner)).toEqual([400, 'DOMAIN_ALREADY_OWNED']);
    expect(await buy(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
    expect(await createCluster(owner)).toEqual([400, 'DOMAIN_ALREADY_OWNED']);
  });

  it('because our account still has it is its owner’s, whatever is said to be for sale', async () => {
    await owned(-5);
    kept.add(name);
    expect(await buy(owner)).toEqual([400, 'DOMAIN_ALREADY_OWNED']);
    expect(await buy(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
  });

  it('because its term goes on is its owner’s, whatever a registrar offers', async () => {
    await owned(5);
    expect(await isAvailable()).toBe(false);
    expect(await buy(owner)).toEqual([400, 'DOMAIN_ALREADY_OWNED']);
    expect(await buy(other)).toEqual([400, 'DOMAIN_UNAVAILABLE']);
  });
});
