/** Messages of a campaign to the magic recipients of the world: mail hosts wait and try again, people complain. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import { activityTools } from '../../activities/campaigns/tools.ts';
import { newMemory, visitMailbox } from '../../activities/inbox/watch-mailbox.ts';
import type { Context } from '../../src/context.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  installMailHost,
  PASSWORD,
  startMailWorld,
  until,
  type MailWorld,
} from '../support/mail/mail-world.ts';
import { createSandboxContext } from '../support/provisioning/provisioning-world.ts';
import type { TestSandbox } from '../support/vendors/sandbox.ts';
import { trustAuthority } from '../support/run/trust.ts';

const DOMAIN = 'north.com';
const PEOPLE = ['greylist-ann', 'soft-bounce-bob', 'slow-cat', 'complain-dan'];

let database: TestDatabase;
let world: MailWorld;
let context: Context;
beforeAll(async () => {
  [database, world] = await Promise.all([createTestDatabase(), startMailWorld({ pace: 20 })]);
  trustAuthority(world.sandbox().caFile);
  await installMailHost(world, DOMAIN, ['m1']);
  const environment = { SEND_MIN_GAP_SECONDS: '0', SEND_MAILBOX_HOURLY_LIMIT: '100' };
  const sandbox = world.sandbox() as TestSandbox;
  context = createSandboxContext(database, sandbox, '127.0.0.1:9', { environment });
});
afterAll(async () => {
  await (context as Context & { close(): Promise<void> }).close();
  await world.close();
  await database.close();
});

it('reach all of them once, and a complaint suppresses who made it. Choice 58', async () => {
  const { db, cipher } = context;
  const userId = await addSender(db);
  const mailboxIds = await addMailboxes(context, userId, { count: 1, domain: DOMAIN });
  const password = cipher.seal(PASSWORD, passwordBinding(mailboxIds[0]!));
  await db.updateTable('mailboxes').set({ password }).execute();
  const { campaignId, leadIds } = await addCampaign(db, userId, {
    leads: PEOPLE.length,
    mailboxIds,
  });
  for (const [n, name] of PEOPLE.entries()) {
    const email = `${name}@client-${n}.test`;
    const change = { email, email_key: email };
    await db.updateTable('leads').set(change).where('id', '=', leadIds[n]!).execute();
  }

  const done = await activityEnvironment().run(() =>
    runSendingSession(activityTools(context), campaignId),
  );
  expect(done).toMatchObject({ isDone: true });
  const books = async () => (await world.control('GET', '/books')).body.mail;
  await until(async () => (await books()).accepted.length >= PEOPLE.length);
  const { accepted, bounced } = await books();
  const taken = accepted.map(({ to }: { to: string }) => to).toSorted();
  expect(taken).toEqual(PEOPLE.map((name, n) => `${name}@client-${n}.test`).toSorted());
  const refusals = (name: string) =>
    bounced
      .filter(({ to }: { to: string }) => to.startsWith(name))
      .map(({ code }: { code: number }) => code);
  expect(refusals('soft-bounce')).toEqual([450, 450]);
  expect(refusals('greylist')[0]).toBe(451);
  expect(refusals('slow')).toEqual([]);

  const { cluster_id: clusterId } = await db
    .selectFrom('mailboxes')
    .select('cluster_id')
    .executeTakeFirstOrThrow();
  const suppressed = () => db.selectFrom('suppressions').select(['value', 'reason']).execute();
  await until(async () => {
    const { mailboxes } = await readSyncSnapshot(db, clusterId!);
    const { signal } = new AbortController();
    const rest = { ownAddresses: new Set([`m1@${DOMAIN}`]), signal, memory: newMemory() };
    await visitMailbox(context, mailboxes[0]!, rest);
    return (await suppressed()).length > 0;
  });
  expect(await suppressed()).toMatchObject([{ value: 'complain-dan@client-3.test' }]);
  const recipients = await db
    .selectFrom('sends')
    .select(['lead_id', 'state', 'soft_bounced_at', 'bounced_at', 'complained_at'])
    .orderBy('lead_id')
    .execute();
  const whole = { state: 'sent', soft_bounced_at: null, bounced_at: null };
  expect(recipients).toMatchObject([
    { ...whole, complained_at: null },
    { ...whole, complained_at: null },
    { ...whole, complained_at: null },
    { ...whole, complained_at: expect.any(Date) },
  ]);
});
