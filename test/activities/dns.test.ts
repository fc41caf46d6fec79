/** Publishing and withdrawing records at a registrar that shows, answers or allows things late. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dnsActivities } from '../../activities/clusters/dns.ts';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { setDkimKey } from '../../src/db/domains/dkim-keys.ts';
import { domainRecords, withLease } from '../../src/db/leases.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { parseCaa } from '../../src/domain/domains/caa-value.ts';
import { ProviderError, type ProviderErrorKind } from '../../src/domain/errors.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { userWith } from '../support/wallet/wallet.ts';

let database: TestDatabase;
let api: TestApi;
let activities: ReturnType<typeof dnsActivities>;
let step: { operationId: number; clusterId: number };
let domainId: number;
let listed: { id: string; type: string; name: string; value: string }[];
let refusal: ProviderErrorKind | undefined;
let now: Date;
/** Runs once the registrar has looked and before it answers. */
let beforeListed: (() => Promise<void>) | undefined;
/** Runs once the registrar has deleted one. */
let afterDeleted: (() => Promise<void>) | undefined;
/** What the world sees, by name. */
let seen: Map<string, string[]>;

const registrar = {
  name: 'namecom',
  recordTypes: ['A', 'TXT', 'SRV', 'MX'],
  async listRecords() {
    const found = [...listed];
    await beforeListed?.();
    return found;
  },
  async createRecord(_domain: string, record: { type: string; name: string; value: string }) {
    if (refusal) throw new ProviderError(refusal, 'no', { provider: 'namecom' });
    listed.push({ id: `${listed.length}`, ...record });
  },
  async deleteRecord(_domain: string, id: string) {
    listed = listed.filter((record) => record.id !== id);
    await afterDeleted?.();
  },
};

const resolveCaa = async (name: string) =>
  (seen.get(`caa:${name}`) ?? []).map((text) => parseCaa(text)!);
const look = async (name: string) => seen.get(name) ?? [];

beforeAll(async () => {
  database = await createTestDatabase();
  const stubs = {
    startOperation: async () => false,
    registrars: { namecom: registrar },
    dns: { resolveA: look, resolveTxt: look, resolveMx: async () => [], resolveCaa },
    clock: { now: () => now },
  } as unknown as Partial<Context>;
  const environment = { PROVIDER_LAG_SECONDS: '30', PROVIDER_TIMEOUT_SECONDS: '20' };
  api = await startTestApi({ database, context: stubs, environment });
  activities = dnsActivities(api.context);
});
afterAll(async () => {
  await api.close();
  await database.close();
});
beforeEach(async () => {
  [listed, refusal, now, seen] = [[], undefined, new Date(), new Map()];
  [beforeListed, afterDeleted] = [undefined, undefined];
  const userId = await userWith(database.db, 5_000);
  const order = { domain: `${userId}.com`, useExistingVps: false };
  const { id } = await createCluster(api.context, userId, order);
  const { operation_id, domain_id } = await getCluster(database.db, id);
  step = { operationId: operation_id!, clusterId: id };
  domainId = domain_id;
  const sealedPrivateKey = Buffer.from('sealed');
  await setDkimKey(database.db, domain_id, { selector: 's1', sealedPrivateKey, publicKey: 'key' });
  const server_id = await addServer(database.db, {
    user_id: userId,
    host_name: `mail.${userId}.com`,
    ipv4: '198.18.0.1',
  });
  await database.db.updateTable('clusters').set({ server_id }).where('id', '=', id).execute();
});

const rows = () =>
  database.db
    .selectFrom('published_records')
    .selectAll()
    .where('operation_id', '=', step.operationId)
    .execute();
const publish = () => activities.publishRecords({ ...step, phase: 'host' });
const after = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};

describe('withdrawing records', () => {
  it('waits for one that was asked for and may still appear, and takes it then', async () => {
    refusal = 'outcome_unknown';
    await expect(publish()).rejects.toMatchObject({ kind: 'outcome_unknown' });
    const [row] = await rows();
    await expect(activities.withdrawRecords(step)).rejects.toMatchObject({ kind: 'not_ready' });
    expect(await rows()).toHaveLength(1);
    listed.push({ id: 'late', type: row!.type, name: row!.name, value: row!.value });
    await activities.withdrawRecords(step);
    expect([listed, await rows()]).toEqual([[], []]);
  });

  it('waits no longer than a request and the registrar’s lag can last', async () => {
    refusal = 'unavailable';
    await expect(publish()).rejects.toMatchObject({ kind: 'unavailable' });
    after(49);
    await expect(activities.withdrawRecords(step)).rejects.toMatchObject({ kind: 'not_ready' });
    after(2);
    await activities.withdrawRecords(step);
    expect(await rows()).toEqual([]);
  });

  it('counts from the last time that the record was asked for', async () => {
    refusal = 'unavailable';
    await expect(publish()).rejects.toMatchObject({ kind: 'unavailable' });
    after(60);
    await expect(publish()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(activities.withdrawRecords(step)).rejects.toMatchObject({ kind: 'not_ready' });
  });

  it('does not wait for what was refused for good', async () => {
    refusal = 'rejected';
    await expect(publish()).rejects.toMatchObject({ kind: 'rejected' });
    await activities.withdrawRecords(step);
    expect(await rows()).toEqual([]);
  });

  it('keeps waiting for an earlier request although a later one was refused', async () => {
    refusal = 'outcome_unknown';
    await expect(publish()).rejects.toMatchObject({ kind: 'outcome_unknown' });
    refusal = 'rejected';
    await expect(publish()).rejects.toMatchObject({ kind: 'rejected' });
    await expect(activities.withdrawRecords(step)).rejects.toMatchObject({ kind: 'not_ready' });
  });

  it('does not wait for one whose deletion was the last act of a worker', async () => {
    await publish();
    afterDeleted = async () => {
      throw new Error('the worker died before it could note this');
    };
    await expect(activities.withdrawRecords(step)).rejects.toThrow('the worker died');
    expect(listed.length).toBeLessThan((await rows()).length);
    afterDeleted = undefined;
    await activities.withdrawRecords(step);
    expect([listed, await rows()]).toEqual([[], []]);
    // What is published anew may be late again.
    refusal = 'outcome_unknown';
    await expect(publish()).rejects.toMatchObject({ kind: 'outcome_unknown' });
    await expect(activities.withdrawRecords(step)).rejects.toMatchObject({ kind: 'not_ready' });
  });

  it('takes what is there although another record may be late', async () => {
    await publish();
    listed = listed.filter(({ name }) => name !== '_dmarc');
    await expect(activities.withdrawRecords(step)).rejects.toThrow('TXT _dmarc.');
    expect([listed, (await rows()).map(({ name }) => name)]).toEqual([[], ['_dmarc']]);
  });
});

describe('publishing records', () => {
  it('waits for a request that is changing them, and sees what that one made', async () => {
    const lease = { name: domainRecords(domainId), waitMs: 0, busy: () => new Error('busy') };
    let published: Promise<void> | undefined;
    await withLease(database.db, lease, async () => {
      published = publish();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(listed).toEqual([]);
      listed.push({ id: 'theirs', type: 'TXT', name: '@', value: 'v=spf1 a -all' });
    });
    await published;
    expect(listed.filter(({ value }) => value.startsWith('v=spf1'))).toHaveLength(1);
  });

  it('is to be tried again where that takes long', async () => {
    const lease = { name: domainRecords(domainId), waitMs: 0, busy: () => new Error('busy') };
    await withLease(database.db, lease, () =>
      expect(publish()).rejects.toMatchObject({ kind: 'not_ready' }),
    );
  });
});

describe('records of an imported domain', () => {
  const host = () => activities.awaitRecords({ ...step, phase: 'host' });
  const message = async () => (await getOperation(database.db, step.operationId)).message;
  let name: string;
  beforeEach(async () => {
    const domain = await database.db
      .updateTable('domains')
      .set({ provider: 'manual', status: 'active' })
      .where('id', '=', domainId)
      .returning('name')
      .executeTakeFirstOrThrow();
    name = domain.name;
    const running = { state: 'running', step: 'dns_setup' } as const;
    await database.db
      .updateTable('operations')
      .set(running)
      .where('id', '=', step.operationId)
      .execute();
  });

  it('are not ours to write: nothing is asked, nothing has to be undone', async () => {
    await publish();
    await activities.withdrawRecords(step);
    expect([listed, await rows()]).toEqual([[], []]);
  });

  it('are waited for, and told in full, until their owner has set them', async () => {
    await expect(host()).rejects.toMatchObject({ kind: 'not_ready' });
    const told = await message();
    expect(told).toContain(`A mail.${name} 198.18.0.1`);
    expect(told).toContain(`TXT s1._domainkey.${name} v=DKIM1; k=rsa; p=key`);
    expect(told).not.toContain('MX');
    seen.set(`mail.${name}`, ['198.18.0.1']);
    seen.set(name, ['v=spf1 include:their.test ~all']);
    seen.set(`_dmarc.${name}`, ['v=DMARC1; p=reject']);
    await expect(host()).rejects.toMatchObject({ kind: 'not_ready' });
    expect(await message()).toBe(
      `Waiting until you set these DNS records: TXT s1._domainkey.${name} v=DKIM1; k=rsa; p=key`,
    );
    seen.set(`s1._domainkey.${name}`, ['v=DKIM1; k=rsa; p=key']);
    expect(await host()).toBeUndefined();
  });

  it('and CAA records that forbid the certificate of the host, before it is asked for', async () => {
    seen.set(`mail.${name}`, ['198.18.0.1']);
    seen.set(name, ['v=spf1 mx ~all']);
    seen.set(`_dmarc.${name}`, ['v=DMARC1; p=reject']);
    seen.set(`s1._domainkey.${name}`, ['v=DKIM1; k=rsa; p=key']);
    seen.set(`caa:${name}`, ['0 issue "digicert.com"']);
    await expect(host()).rejects.toMatchObject({
      kind: 'not_ready',
      message: expect.stringContaining('forbids letsencrypt.org'),
    });
    expect(await message()).toBe(
      `Waiting until you set these DNS records: CAA mail.${name} 0 issue "letsencrypt.org"`,
    );
    seen.set(`caa:mail.${name}`, ['0 issue "letsencrypt.org"']);
    expect(await host()).toBeUndefined();
  });

  it('names the MX last, and writes into no other step', async () => {
    const mx = () => activities.awaitRecords({ ...step, phase: 'mx' });
    const before = await message();
    await expect(mx()).rejects.toMatchObject({ kind: 'not_ready' });
    expect(await message()).toBe(before);
    await database.db
      .updateTable('operations')
      .set({ step: 'verify' })
      .where('id', '=', step.operationId)
      .execute();
    await expect(mx()).rejects.toMatchObject({ kind: 'not_ready' });
    expect(await message()).toContain(`MX ${name} 10 mail.${name}`);
  });
});

describe('work that is taken for dead while it publishes', () => {
  it('is waited for by its undo, which takes away what it added meanwhile', async () => {
    let undone: Promise<void> | undefined;
    beforeListed = async () => {
      beforeListed = undefined;
      undone = activities.withdrawRecords(step);
    };
    await activities.publishRecords({ ...step, phase: 'host' });
    await undone;
    expect(listed).toEqual([]);
  });

  it('adds nothing once its undo has begun', async () => {
    beforeListed = async () => {
      await database.db
        .updateTable('operations')
        .set({ state: 'compensating' })
        .where('id', '=', step.operationId)
        .execute();
    };
    await expect(activities.publishRecords({ ...step, phase: 'host' })).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
    expect(listed).toEqual([]);
  });
});
