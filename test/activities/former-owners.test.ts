/** Names in our account at a registrar that accounts here ordered once: whose they are. Choice 162. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createActivities, type Activities } from '../../activities/index.ts';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { buyDomain } from '../../src/services/domains/domains.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSandboxContext, fund } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const NO_TEMPORAL = '127.0.0.1:9';

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let activities: Activities;
let names = 0;
let name: string;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  context = createSandboxContext(database, sandbox, NO_TEMPORAL, { environment: {} });
  context.startOperation = async () => false;
  activities = createActivities(context);
  await Promise.all(['ann', 'ben'].map((user) => fund(context, user, 1_000_000)));
});
beforeEach(() => {
  later(0);
  name = `former-${(names += 1)}.com`;
});
afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

const later = (ms: number) => {
  context.clock.now = () => new Date(Date.now() + ms);
};
const call = <T>(step: keyof Activities, input: object): Promise<T> =>
  activityEnvironment().run(activities[step] as (given: unknown) => Promise<T>, input);
/** A quarter of an hour later, when nothing is young any more. */
async function compare() {
  later(15 * 60_000);
  const words = { actor: 'system', reason: 'test' };
  await call('compareBook', { book: 'registrars/namecom', heal: 'safe', words });
  later(0);
}
const stepOf = async (domainId: number) => {
  const { rows } = await sql<{ operationId: number }>`select id as "operationId" from operations
    where resource_type = 'domain' and resource_id = ${domainId} order by id desc limit 1`.execute(
    context.db,
  );
  return { operationId: rows[0]!.operationId, domainId };
};
const order = async (userId: string) =>
  stepOf((await buyDomain(context, userId, { domain: name })).domain.id);
const orderWithCluster = async (userId: string) => {
  const { id } = await createCluster(context, userId, { domain: name, useExistingVps: false });
  const { operation_id, domain_id: domainId } = await getCluster(context.db, id);
  return { operationId: operation_id!, domainId };
};
type Step = Awaited<ReturnType<typeof order>>;

/** An order that ended so many days ago, with the note of what it asked for. */
async function former(userId: string, days: number): Promise<Step> {
  const step = await order(userId);
  await note(step, userId, days);
  await end(step);
  return step;
}
async function note({ operationId }: Step, userId: string, days: number) {
  const at = new Date(Date.now() - days * DAY_MS);
  await sql`insert into provider_resources
    (operation_id, step, generation, provider, token, external_id, asked_until, created_at, state)
    values (${operationId}, 'domain_purchase', 1, 'namecom', ${`token-${name}-${userId}`}, ${name},
      ${at}, ${at}, 'absent')`.execute(context.db);
}
async function end({ operationId, domainId }: Step) {
  await sql`update domains set status = 'failed' where id = ${domainId}`.execute(context.db);
  await sql`update operations set state = 'failed', finished_at = now()
    where id = ${operationId}`.execute(context.db);
}
/** As after a restore to a moment before the order. */
async function forget({ operationId, domainId }: Step) {
  const { db } = context;
  await sql`delete from provider_resources where operation_id = ${operationId}`.execute(db);
  await sql`update domains set name = ${`lost-${name}`} where id = ${domainId}`.execute(db);
  await end({ operationId, domainId });
}

const unavailable = { code: 'DOMAIN_UNAVAILABLE' };
const undecided = { type: 'Undecided' };

describe('a name that one account had and another one bought later, whose row was lost', () => {
  beforeEach(async () => {
    await former('ann', 700);
    const step = await order('ben');
    await call('registerDomain', step);
    await forget(step);
  });

  it('is not the former owner’s: until the comparison has found it, it is nobody’s', async () => {
    await expect(order('ann')).rejects.toMatchObject(unavailable);
  });

  it('waits for a person whoever orders it, once the comparison has found it', async () => {
    await compare();
    const asked = await order('ann');
    await expect(call('adoptDomain', asked)).rejects.toMatchObject(undecided);
    await end(asked);
    await expect(call('adoptDomain', await order('ben'))).rejects.toMatchObject(undecided);
  });

  it('waits with a cluster, too, and goes on waiting while comparisons see the order and not the loss', async () => {
    await compare();
    const asked = await orderWithCluster('ann');
    // Long after the purchase.
    await sql`update domains set created_at = now() + interval '10 minutes'
      where id = ${asked.domainId}`.execute(context.db);
    await expect(call('adoptDomain', asked)).rejects.toMatchObject(undecided);
    await compare();
    await expect(call('adoptDomain', asked)).rejects.toMatchObject(undecided);
    const event = {
      kind: 'resolved',
      step: 'domain_purchase',
      actor: 'test',
      reason: 'hers',
    } as const;
    const answer = { operationId: asked.operationId, ...event, detail: { action: 'adopt' } };
    await insertOperationEvent(context.db, answer);
    expect(await call('adoptDomain', asked)).toEqual({ bought: true });
  });
});

describe('a name that another account ordered last, and that came after its order was given up', () => {
  it('is not the former owner’s, and that one’s who ordered it', async () => {
    await former('ann', 700);
    const step = await order('ben');
    await call('registerDomain', step);
    await end(step);
    await compare();
    await expect(order('ann')).rejects.toMatchObject(unavailable);
    const again = await order('ben');
    expect(await call('adoptDomain', again)).toEqual({ bought: true });
    expect(await getDomain(context.db, again.domainId)).toMatchObject({ user_id: 'ben' });
  });
});

describe('a name that one account bought, and that others were refused before it ordered it again', () => {
  const refused = async (hoursLater: number) => {
    const step = await orderWithCluster('ben');
    await note(step, 'ben', -hoursLater / 24);
    await end(step);
  };
  beforeEach(async () => {
    const step = await order('ann');
    await call('registerDomain', step);
    await end(step);
  });

  it('is still its own', async () => {
    await refused(1);
    const again = await order('ann');
    expect(await call('adoptDomain', again)).toEqual({ bought: true });
  });

  it('is its own also where they were refused at once', async () => {
    await refused(1 / 60);
    const again = await order('ann');
    expect(await call('adoptDomain', again)).toEqual({ bought: true });
  });
});

describe('a name that nobody here has ever ordered', () => {
  const bought = (days: number) => {
    const purchasedAt = new Date(Date.now() - days * DAY_MS).toISOString();
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    return { domain: name, purchasedAt, expiresAt };
  };
  /** The account at the registrar has it, since so many days. */
  const held = async (days: number) => {
    const real = context.registrars['namecom']!;
    const shown = {
      ...real,
      quote: () => real.quote(`taken-${name}`),
      find: async () => bought(days),
      listDomains: async () => [bought(days)],
    };
    const before = context.registrars;
    context.registrars = { ...before, namecom: shown };
    activities = createActivities(context);
    return () => {
      context.registrars = before;
      activities = createActivities(context);
    };
  };

  it('and that was bought lately may be an order that a restore has lost', async () => {
    const undo = await held(20);
    try {
      await compare();
      await expect(call('adoptDomain', await order('ann'))).rejects.toMatchObject(undecided);
    } finally {
      undo();
    }
  });

  it('and that was bought long ago is the operator’s own: nobody can order it', async () => {
    const undo = await held(31);
    try {
      await compare();
      await expect(order('ann')).rejects.toMatchObject(unavailable);
      const asked = await orderWithCluster('ann');
      await expect(call('adoptDomain', asked)).rejects.toMatchObject({ type: 'ProviderRejected' });
    } finally {
      undo();
    }
  });
});
