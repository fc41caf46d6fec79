/** Placement tests, replies that wait and who is to enter a campaign, by the command line and by tools, against the API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServing } from '../../../src/mcp/index.ts';
import { addMessage, openMailbox } from '../../support/inbox/inbox-messages.ts';
import {
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../../support/campaigns/campaign-users.ts';
import { outreachWith, typing } from '../../support/cli/client.ts';
import { httpCaller, serveTools, type Caller } from '../../support/mcp/caller.ts';

const TUESDAY = new Date(MONDAY.getTime() + 86_400_000).toISOString();

let users: CampaignUsers;
let ann: CampaignUser;
let token: string;
let serving: HttpServing;
let caller: Caller;

beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
  token = await users.api.jwt(ann.userId);
  serving = await serveTools(users.api.url, ['send']);
  caller = await httpCaller(serving.url, token);
});
afterAll(async () => {
  await caller?.close();
  await serving?.close();
  await users?.close();
});

const outreach = (argv: readonly string[], input?: Parameters<typeof outreachWith>[2]) =>
  outreachWith({ OUTREACH_URL: users.api.url, OUTREACH_API_KEY: token }, argv, input);
const json = async (...argv: string[]) => {
  const { code, out, err } = await outreach([...argv, '--json']);
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${err}`);
  return JSON.parse(out);
};

async function question(subject: string): Promise<string> {
  const { mailboxId } = await openMailbox(users.api.context, ann.userId);
  const { id } = await addMessage(users.database.db, { userId: ann.userId, mailboxId, subject });
  return String(id);
}

describe('a reply that waits', () => {
  it('is written, listed, shown and taken back by commands', async () => {
    const id = await question('Soon?');
    const argv = ['inbox', 'reply', id, '--text', 'Any news?', '--at', TUESDAY];
    const asked = await outreach(argv, typing(''));
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining(` at ${TUESDAY}, about`) });
    const made = await json(...argv, '--cancel-on-reply', '--yes');
    expect(made.delivery).toMatchObject({
      state: 'scheduled',
      send_at: TUESDAY,
      cancel_on_reply: true,
    });
    const listed = await outreach(['inbox', 'list', '--scheduled']);
    expect(listed.out).toMatch(/2027-03-02 15:00 .*Soon\?/);
    const shown = await outreach(['inbox', 'show', String(made.id)]);
    expect(shown.out).toMatch(/^Leaves: +2027-03-02 15:00$/m);
    const over = await outreach(['inbox', 'cancel', String(made.id)]);
    expect(over.out).toMatch(/^Delivery: +cancelled/m);
    expect(await json('inbox', 'list', '--scheduled')).toEqual([]);
    const alone = await outreach([...argv.slice(0, 5), '--cancel-on-reply', '--yes']);
    expect(alone).toMatchObject({ code: 1, err: expect.stringContaining('needs sendAt') });
  });

  it('is written, listed and taken back by tools', async () => {
    const messageId = Number(await question('Later?'));
    const order = { messageId, text: 'Still there?', sendAt: TUESDAY };
    const quotes: { summary: string }[] = [];
    const made = await caller.agree('reply', order, (quote) => void quotes.push(quote));
    expect(quotes[0]!.summary).toContain(` at ${TUESDAY}, about "Later?"`);
    expect(made).toMatchObject({ delivery: 'scheduled' });
    const { items } = await caller.call('list_inbox', { scheduled: true });
    expect(items).toMatchObject([{ id: made.messageId, direction: 'outbound' }]);
    const reply = { kind: 'scheduled_reply', id: made.messageId };
    const over = await caller.call('control_job', { ...reply, action: 'cancel' });
    expect(over).toEqual({ state: 'cancelled' });
    expect((await caller.call('list_inbox', { scheduled: true })).items).toEqual([]);
  });
});

it('who is to enter a campaign by which answer is listed by a command, and who is not', async () => {
  const startsOn = { interest: ['not_now'], afterDays: 30 };
  const { id } = await ann.campaign({ startsOn }, 0);
  const [one, other] = (await ann.leads(2)) as [number, number];
  const row = { campaign_id: id, interest: 'not_now' as const, updated_at: MONDAY };
  await users.database.db
    .insertInto('subsequence_starts')
    .values([
      { ...row, lead_id: one, status: 'pending', due_at: new Date(TUESDAY) },
      { ...row, lead_id: other, status: 'cancelled', reason: 'answered_again' },
    ])
    .execute();
  const { personEmail } = await ann.ok('GET', `/v1/leads/${one}`);
  const argv = ['campaigns', 'pending', String(id)];
  const { out } = await outreach(argv);
  expect(out).toMatch(new RegExp(`^${one} +${personEmail} +not_now +2027-03-02 15:00`, 'm'));
  expect(await json(...argv)).toEqual(await ann.ok('GET', `/v1/campaigns/${id}/pending-starts`));
  const cancelled = await outreach([...argv, '--status', 'cancelled']);
  expect(cancelled.out).toMatch(new RegExp(`^${other} .*answered_again`, 'm'));
  expect((await outreach([...argv, '--status', 'started'])).out).toBe('Nobody is started.');
  expect((await outreach([...argv, '--status', 'planned'])).code).toBe(2);
});

describe('a placement test', () => {
  const addSeed = (n: number) =>
    ann.ok('POST', '/v1/placement/seeds', {
      address: `seed${n}@gmail.test`,
      provider: 'google',
      password: 'of a seed',
    });

  it('is started after a yes, shown, listed, watched and cancelled by commands', async () => {
    const { id } = await ann.campaign({ name: 'Landing' });
    const none = await outreach(['placement', 'test', String(id), '--yes']);
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('NO_SEEDS') });
    await addSeed(1);
    expect((await outreach(['placement', 'seeds'])).out).toContain('seed1@gmail.test');
    const argv = ['placement', 'test', String(id), '--least', '90', '--hold'];
    const asked = await outreach(argv, typing('n'));
    expect(asked).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'sends message 0 of "Landing" to all seed mailboxes of the account (1 message). It costs nothing. A bad verdict pauses the campaign.',
      ),
    });
    const two = await outreach(['placement', 'test', String(id), '--seed', '8', '--seed', '9']);
    expect(two).toMatchObject({
      code: 2,
      err: expect.stringContaining('to 2 seed mailboxes (2 messages). It costs nothing.\n'),
    });
    const made = await json(...argv, '--yes');
    expect(made).toMatchObject({ minInboxPercent: 90, holdOnBadPlacement: true, waiting: 1 });
    const shown = await outreach(['placement', 'show', String(made.id)]);
    expect(shown.out).toMatch(/^Status: +processing$/m);
    expect(shown.out).toMatch(/^google .* 1$/m);
    expect(await json('placement', 'list')).toMatchObject([{ id: made.id }]);
    const watched = await outreach(['placement', 'watch', String(made.id), '--timeout', '1']);
    expect(watched).toMatchObject({ code: 1, err: expect.stringContaining('1 looked for') });
    expect(watched.err).toContain(`outreach placement watch ${made.id}`);
    const over = await json('placement', 'cancel', String(made.id));
    expect(over.status).toBe('cancelled');
    const last = await outreach(['placement', 'watch', String(made.id)]);
    expect(last.out).toMatch(/^Status: +cancelled$/m);
  });

  it('is started by a tool that says first to whom, and waited for', async () => {
    await addSeed(2);
    const { id: campaignId } = await ann.campaign({ name: 'By a tool' });
    const quotes: { summary: string; recipients: number }[] = [];
    const made = await caller.agree(
      'start_placement_test',
      { campaignId, holdOnBadPlacement: true },
      (quote) => void quotes.push(quote),
    );
    expect(quotes).toMatchObject([{ recipients: made.seeds, amountCents: 0 }]);
    expect(quotes[0]!.summary).toContain('of "By a tool" to');
    expect(quotes[0]!.summary).toContain('A bad verdict pauses the campaign.');
    await ann.ok('POST', `/v1/placement/tests/${made.id}/cancel`);
    const job = { kind: 'placement_test', id: made.id };
    expect(await caller.call('wait_for', { jobs: [job], seconds: 1 })).toMatchObject({
      jobs: [{ ...job, state: 'cancelled', isStuck: true }],
    });
  });
});
