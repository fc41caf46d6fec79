/** `update_campaign` changes nothing of a campaign that sends, also of one that is started at that moment. */
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
