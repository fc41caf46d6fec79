/** What the start of a campaign that leads enter by their answers says first, by the command line and by a tool. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServing } from '../../../src/mcp/index.ts';
import { answerTo } from '../../support/campaigns/answers.ts';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../../support/campaigns/campaign-users.ts';
import { outreachWith, typing } from '../../support/cli/client.ts';
import { httpCaller, serveTools, type Caller } from '../../support/mcp/caller.ts';

const NOT_NOW = 'Not right now, but please check back in March.';

let users: CampaignUsers;
let ann: CampaignUser;
let token: string;
let serving: HttpServing;
let caller: Caller;

beforeAll(async () => {
  users = await startCampaignUsers();
  // The rules are made before the answers come.
  users.clock.at = new Date(Date.now() - 3 * 3_600_000);
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

/** A draft without leads that those enter who answer so; one of them has. */
async function subsequence(order: object = {}) {
  const assignedMailboxes = await ann.mailboxes(1);
  const create = (more: object) =>
    ann.ok('POST', '/v1/campaigns', { ...MESSAGE, assignedMailboxes, ...more });
  const { id: source } = await create({});
  const [leadId] = (await ann.leads(1)) as [number];
  await ann.ok('POST', `/v1/campaigns/${source}/leads`, { leadIds: [leadId] });
  const startsOn = { campaignId: source, interest: ['not_now', 'meeting'], afterDays: 30 };
  const { id } = await create({ name: 'Ask again', startsOn, ...order });
  await answerTo(users.database.db, { campaignId: source, leadId, text: NOT_NOW });
  return { id: id as number, source: source as number, startsOn };
}

const rule = (answered: string, waiting = 1) =>
  `From now on it also writes to everybody whose answer to ${answered} means not_now or meeting, 30 days after the answer: to how many is not known, ${waiting} whose answers fit already wait for their time.`;

describe('the start of a campaign with startsOn', () => {
  it('by the command line says to whom it writes from then on, and asks', async () => {
    const { id, source } = await subsequence();
    const start = (input: Parameters<typeof outreachWith>[2], ...more: string[]) =>
      outreachWith(
        { OUTREACH_URL: users.api.url, OUTREACH_API_KEY: token },
        ['campaigns', 'start', String(id), ...more],
        input,
      );
    const asked = await start(typing('n'));
    expect(asked.code).toBe(1);
    expect(asked.err).toContain('"Ask again" writes to 0 people (0 of them are held back)');
    expect(asked.err).toContain(rule(`campaign ${source}`));
    expect((await start(typing(), '--yes')).out).toMatch(/^Status: +active$/m);
    await ann.ok('POST', `/v1/campaigns/${id}/pause`);
    const argv = ['campaigns', 'resume', String(id)];
    const resumed = await outreachWith(
      { OUTREACH_URL: users.api.url, OUTREACH_API_KEY: token },
      argv,
      typing('n'),
    );
    expect(resumed.err).toContain(rule(`campaign ${source}`));
  });

  it('by a tool says so, counts who waits, and does it once agreed to', async () => {
    const { id, source } = await subsequence();
    const started = await caller.agree('start_campaign', { id }, ({ summary, recipients }) => {
      expect(summary).toContain(rule(`campaign ${source}`));
      expect(recipients).toBe(1);
    });
    expect(started).toMatchObject({ id, status: 'active', leads: 0 });
  });

  it('is asked about again where its rule has changed since', async () => {
    const { id, source, startsOn } = await subsequence();
    const { quote } = await caller.call('start_campaign', { id });
    const wider = { ...startsOn, campaignId: null };
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { startsOn: wider });
    const again = await caller.call('start_campaign', { id, confirm: quote.confirm });
    expect(again.status).toBe('needs_confirmation');
    expect(again.quote.summary).toContain('This has changed since the last quote');
    expect(again.quote.summary).toContain(rule('any other campaign'));
    expect(again.quote.summary).not.toContain(`answer to campaign ${source} means`);
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).status).toBe('draft');
  });

  it('says when, where that is at once or after a day', async () => {
    for (const [afterDays, words] of [
      [0, ', at once:'],
      [1, ', 1 day after the answer:'],
    ] as const) {
      const { id } = await subsequence({ startsOn: { interest: ['question'], afterDays } });
      const { quote } = await caller.call('start_campaign', { id });
      expect(quote.summary).toContain(`means question${words}`);
      expect(quote.summary).toContain(' 0 whose answers fit already');
    }
  });

  it('of a campaign without it says nothing of the kind', async () => {
    const { id } = await ann.campaign({}, 2);
    const { quote } = await caller.call('start_campaign', { id });
    expect(quote).toMatchObject({ recipients: 2, summary: expect.not.stringContaining('answer') });
  });
});
