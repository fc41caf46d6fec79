/** Mailboxes and domains that work again: whoever waits for them is written to without a request. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import { createMailboxChecks } from '../../activities/campaigns/mailbox-checks.ts';
import { createUpkeep } from '../../activities/campaigns/upkeep.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

let world: SessionWorld;
let userId: string;
beforeAll(async () => {
  world = await startSessionWorld(['login.test', 'dns.test', 'other.test']);
  userId = await addSender(world.database.db);
});
afterAll(() => world.close());

const box = async (domain: string) => {
  const { db, cipher } = world.tools();
  const [id] = await addMailboxes({ db, cipher }, userId, { count: 1, domain });
  return id!;
};

const failingOf = async (mailboxId: number) =>
  (
    await world.database.db
      .selectFrom('mailboxes')
      .select('failing_reason')
      .where('id', '=', mailboxId)
      .executeTakeFirstOrThrow()
  ).failing_reason;

describe('a campaign with a thread on a mailbox that fails', () => {
  it.each([
    ['login_refused', 'login.test', 60],
    ['dns_failing', 'dns.test', 180],
  ] as const)('%s: goes on once it has healed', async (reason, domain, mostMinutes) => {
    const { db } = world.database;
    const [bad, other] = [await box(domain), await box(`o-${domain}`)];
    const { campaignId } = await addCampaign(db, userId, {
      leads: 1,
      mailboxIds: [bad, other],
      followups: 1,
      delayDays: 1,
    });
    expect(await world.run(campaignId)).toMatchObject({ isDone: false });
    const selector = reason === 'dns_failing' ? 's1' : null;
    await db
      .updateTable('domains')
      .set({ dkim_selector: selector })
      .where('name', '=', domain)
      .execute();
    await db
      .updateTable('mailboxes')
      .set({ failing_reason: reason, failing_since: new Date() })
      .where('id', '=', bad)
      .execute();
    const start = Date.now() + DAY;
    let passed = 0;
    const isFine = () => passed > 5 * MINUTE;
    world.smtp.twist = (step) =>
      step === 'AUTH' && !isFine() ? { reply: '535 5.7.8 Authentication failed' } : undefined;
    const resolveTxt = async () => (isFine() ? ['v=spf1 mx -all'] : []);
    // What goes over the wire takes no virtual time: time passes while nothing does.
    let open = 0;
    const counted = async <T>(session: Promise<T>): Promise<T> => {
      open += 1;
      return session.finally(() => (open -= 1));
    };
    const tools = world.tools({
      clock: { now: () => new Date(start + passed) },
      sleep: async (ms) => {
        passed += Math.max(ms, MINUTE);
        do await wait(50);
        while (open > 0);
      },
    });
    const dns = { ...tools.dns, resolveTxt };
    const mailTransport: typeof tools.mailTransport = {
      ...tools.mailTransport,
      openSubmission: async (access) => {
        const session = await counted(tools.mailTransport.openSubmission(access));
        return { ...session, send: (...message) => counted(session.send(...message)) };
      },
    };
    expect(await runSendingSession({ ...tools, dns, mailTransport }, campaignId)).toMatchObject({
      isDone: true,
    });
    expect(passed).toBeGreaterThan(5 * MINUTE);
    expect(passed).toBeLessThan(mostMinutes * MINUTE);
    const users = world.smtp.taken.map(({ user }) => user).slice(-2);
    expect(users).toEqual([`m1@${domain}`, `m1@${domain}`]);
    expect(await failingOf(bad)).toBeNull();
  });
});

describe('a refusal of the sender', () => {
  it.each([
    [1, null],
    [86_400, 'sender_refused'],
  ] as const)('with days of %d s is %s after two seconds', async (daySeconds, after) => {
    const { db } = world.database;
    const mailboxId = await box(`refused-${daySeconds}.test`);
    const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds: [mailboxId] });
    await db
      .updateTable('mailboxes')
      .set({ failing_reason: 'sender_refused', failing_since: new Date(Date.now() - 2_000) })
      .where('id', '=', mailboxId)
      .execute();
    const tools = world.tools({}, { DAY_SECONDS: daySeconds });
    const upkeep = createUpkeep(tools, campaignId);
    // Without a mailbox the campaign is paused.
    expect(await upkeep(tools)).toBe(after !== null);
    expect(await failingOf(mailboxId)).toBe(after);
  });
});

it('a login that works again lifts no refusal that has come since it was asked', async () => {
  const { db } = world.database;
  const mailboxId = await box('overtaken.test');
  const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds: [mailboxId] });
  const fails = (reason: 'login_refused' | 'sender_refused') =>
    db
      .updateTable('mailboxes')
      .set({ failing_reason: reason, failing_since: new Date() })
      .where('id', '=', mailboxId)
      .execute();
  await fails('login_refused');
  const tools = world.tools();
  const checkSubmission = async () => void (await fails('sender_refused'));
  const mailTransport = { ...tools.mailTransport, checkSubmission };
  await createMailboxChecks(tools.config, campaignId).goOn({ ...tools, mailTransport });
  expect(await failingOf(mailboxId)).toBe('sender_refused');
});
