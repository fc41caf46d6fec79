/** Time zones of drafts; `update_campaign` changes nothing of a campaign that sends, also of one that is started at that moment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutreach } from '../../clients/typescript/src/index.ts';
import type { ToolCall } from '../../src/mcp/tool.ts';
import { campaignTools } from '../../src/mcp/tools/campaigns.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
let apiKey: string;
beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
  apiKey = await users.api.jwt(ann.userId);
});
afterAll(() => users.close());

const tool = campaignTools.find(({ name }) => name === 'update_campaign')!;

/** Calls the tool; `before` comes right before its change, whose body goes out as `changed` makes it. */
function update(
  input: { id: number; name: string },
  before = async () => {},
  changed = (body: string) => body,
) {
  const outreach = createOutreach({
    baseUrl: users.api.url,
    apiKey,
    fetch: async (url, init) => {
      if (init?.method !== 'PATCH') return fetch(url, init);
      await before();
      return fetch(url, { ...init, body: changed(init.body as string) });
    },
  });
  return tool.run(input as never, { outreach } as ToolCall);
}
const nameOf = async (id: number) => (await ann.ok('GET', `/v1/campaigns/${id}`)).name;
const start = (id: number) => ann.ok('POST', `/v1/campaigns/${id}/start`);

describe('update_campaign', () => {
  it('changes one that does not send', async () => {
    const { id } = await ann.campaign();
    expect(await update({ id, name: 'New' })).toMatchObject({ id, name: 'New' });
  });

  it('refuses one that sends, and says what to do', async () => {
    const { id, name } = await ann.campaign();
    await start(id);
    const refusal = { code: 'INVALID_STATE', next: expect.stringContaining('Pause it') };
    await expect(update({ id, name: 'New' })).rejects.toMatchObject(refusal);
    expect(await nameOf(id)).toBe(name);
  });

  it('refuses one that sends where the API does not know ifStatus', async () => {
    const { id, name } = await ann.campaign();
    await start(id);
    // As an older API, which reads past what it does not know.
    const older = (body: string) => JSON.stringify({ ...JSON.parse(body), ifStatus: undefined });
    const refusal = { code: 'INVALID_STATE', next: expect.stringContaining('Pause it') };
    await expect(update({ id, name: 'New' }, undefined, older)).rejects.toMatchObject(refusal);
    expect(await nameOf(id)).toBe(name);
  });

  it('changes nothing of one that somebody starts at that moment', async () => {
    const { id, name } = await ann.campaign();
    const late = update({ id, name: 'New' }, () => start(id));
    await expect(late).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await nameOf(id)).toBe(name);
  });
});

describe('create_campaign', () => {
  it("has the account's time zone where none is given, tells it, and a change leaves it", async () => {
    const bea = await users.newUser();
    await bea.ok('PATCH', '/v1/account', { timezone: 'Europe/Berlin' });
    const login = { baseUrl: users.api.url, apiKey: await users.api.jwt(bea.userId) };
    let outreach = createOutreach(login);
    const run = (name: string, input: object) =>
      campaignTools
        .find((one) => one.name === name)!
        .run(input as never, { outreach } as ToolCall) as Promise<{ id: number }>;
    const [mailboxId] = await bea.mailboxes(1);
    const texts = { name: 'x', subjectTemplate: 'y', bodyTemplate: 'z', followUps: [] };
    const draft = { ...texts, mailboxIds: [mailboxId], leadListIds: [] };
    const hours = { startTime: '09:00', endTime: '17:00' };
    const made = await run('create_campaign', draft);
    expect(made).toMatchObject({ timezone: 'Europe/Berlin', ...hours });
    const other = { ...draft, timezone: 'Asia/Dubai' };
    const { id } = await run('create_campaign', other);
    const changed = await run('update_campaign', { id, name: 'New' });
    expect(changed).toMatchObject({ name: 'New', timezone: 'Asia/Dubai' });
    const scopes = ['campaigns:write'];
    const { key } = await bea.ok('POST', '/api/keys', { name: 'campaigns alone', scopes });
    outreach = createOutreach({ ...login, apiKey: key });
    expect(await run('create_campaign', draft)).toMatchObject({ timezone: 'America/New_York' });
  });
});
