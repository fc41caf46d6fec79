/** A domain's DKIM key is replaced while the domain sends: whatever is on its way verifies all the time. */
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { serverAccess } from '../../activities/engine/access.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: OrderWorld;
let domainId: number;
let clusterId: number;
let mailbox: { host: string; email: string; password: string };
let aheadMs = 0;
beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
  world.context.clock = { now: () => new Date(Date.now() + aheadMs) };
  ({ clusterId, domainId } = await activeCluster(world, 'rotates.com'));
  const { context } = world;
  const server = await getServer(context.db, (await getCluster(context.db, clusterId)).server_id!);
  mailbox = { host: server.host_name, email: 'ada@rotates.com', password: 'secret-pass-1' };
  await context.mailHost.setMailbox(serverAccess(context, server), mailbox);
}, 180_000);
afterAll(() => world?.close());

const setCluster = (status: 'active' | 'deleting') =>
  world.context.db.updateTable('clusters').set({ status }).where('id', '=', clusterId).execute();
const isDue = async () => {
  const { due } = await world.call<{ due: { domainId: number }[] }>('listDkimRotations', {
    afterId: 0,
  });
  return due.some((one) => one.domainId === domainId);
};
/** Each thing twice, as after an answer that was lost. */
const advance = async () => {
  const { stage } = await world.call<{ stage: string }>('advanceDkimRotation', { domainId });
  return stage;
};
const recordsOf = async () => {
  const resolver = new Resolver();
  resolver.setServers([world.sandbox.dns]);
  const isThere = (selector: string) =>
    resolver.resolveTxt(`${selector}._domainkey.rotates.com`).then(
      () => true,
      () => false,
    );
  const selectors = ['s1', 's2', 's3', 's4'];
  const found = await Promise.all(selectors.map(isThere));
  return selectors.filter((_selector, n) => found[n]);
};

let messages = 0;
/** The selector of a message that is sent now, and its raw form. */
async function sent(): Promise<{ selector: string; raw: string }> {
  const subject = `Message ${(messages += 1)}`;
  const messageId = `<m${messages}@rotates.com>`;
  const message = { to: 'someone@recipients.test', subject, text: 'Hello', messageId };
  await world.context.mailTransport.submit(mailbox, message);
  for (;;) {
    const { body } = await world.sandbox.control('GET', '/books?raw=1');
    const found = body.mail.accepted.find((one: { subject: string }) => one.subject === subject);
    if (found) return { raw: found.raw, selector: /\bs=(\w+);/.exec(found.raw)![1]! };
    await sleep(50);
  }
}
async function verifies(raw: string): Promise<string> {
  const resolver = new Resolver();
  resolver.setServers([world.sandbox.dns]);
  const { results } = await dkimVerify(Buffer.from(raw, 'latin1'), {
    resolver: (name, type) => resolver.resolve(name, type) as Promise<string[][]>,
  });
  return results[0]!.status.result;
}

describe('the DKIM key of a domain that sends', () => {
  it('is replaced after half a year, and every message verifies on the way', async () => {
    expect(await isDue()).toBe(false);
    aheadMs = 181 * DAY_MS;
    expect(await isDue()).toBe(true);
    const before = await sent();
    expect(before.selector).toBe('s1');
    expect([await advance(), await advance()]).toEqual(['seen', 'seen']);
    expect(await recordsOf()).toEqual(['s1', 's2']);
    expect((await sent()).selector).toBe('s1');

    aheadMs += 2 * HOUR_MS;
    const during = sent();
    expect([await advance(), await advance()]).toEqual(['switched', 'overlapping']);
    const after = await sent();
    expect(after.selector).toBe('s2');
    for (const { raw } of [before, await during, after]) expect(await verifies(raw)).toBe('pass');
    expect(await isDue()).toBe(false);
    aheadMs += 6 * DAY_MS;
    expect(await isDue()).toBe(false);
    expect(await verifies(before.raw)).toBe('pass');

    aheadMs += 2 * DAY_MS;
    expect(await isDue()).toBe(true);
    expect(await advance()).toBe('withdrawn');
    expect(await recordsOf()).toEqual(['s2']);
    expect(await verifies(after.raw)).toBe('pass');
    expect(await isDue()).toBe(false);
  });

  it('signs with the new one where the process died after it was on the host', async () => {
    aheadMs += 181 * DAY_MS;
    await advance();
    aheadMs += 2 * HOUR_MS;
    const { mailHost } = world.context;
    const dying = createActivities({
      ...world.context,
      mailHost: {
        ...mailHost,
        addDomain: async (...given) => {
          await mailHost.addDomain(...given);
          throw new Error('killed');
        },
      },
    });
    const killed = activityEnvironment().run(() => dying.advanceDkimRotation({ domainId }));
    await expect(killed).rejects.toThrow('killed');
    expect((await getDomain(world.context.db, domainId)).dkim_selector).toBe('s2');
    const between = await sent();
    expect([between.selector, await verifies(between.raw)]).toEqual(['s3', 'pass']);
    expect(await advance()).toBe('switched');
    expect((await getDomain(world.context.db, domainId)).dkim_selector).toBe('s3');
  });

  it('gets nothing more once its cluster is being deleted', async () => {
    aheadMs += 8 * DAY_MS;
    expect(await advance()).toBe('withdrawn');
    aheadMs += 181 * DAY_MS;
    await setCluster('deleting');
    expect(await isDue()).toBe(false);
    expect(await advance()).toBe('idle');
    expect(await recordsOf()).toEqual(['s3']);
  });

  it('stays where rotation is off', async () => {
    await setCluster('active');
    const off = createActivities({
      ...world.context,
      config: { ...world.context.config, DKIM_ROTATE_DAYS: 0 },
    });
    // What has begun goes on.
    await world.context.db
      .updateTable('domains')
      .set({ next_dkim_selector: null, next_dkim_private_key: null, next_dkim_public_key: null })
      .where('id', '=', domainId)
      .execute();
    const listed = await activityEnvironment().run(() => off.listDkimRotations({ afterId: 0 }));
    expect(listed).toEqual({ due: [], nextId: null });
    expect(await isDue()).toBe(true);
  });
});
