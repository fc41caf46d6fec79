/** Searches by the command line: begun after a yes that knows what is bought, paused, resumed, followed to their end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../../support/campaigns/campaign-users.ts';
import { outreachWith, piping } from '../../support/cli/client.ts';

let users: CampaignUsers;
let ann: CampaignUser;
let token: string;

beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
  token = await users.api.jwt(ann.userId);
});
afterAll(() => users.close());

const outreach = (...argv: string[]) =>
  outreachWith({ OUTREACH_URL: users.api.url, OUTREACH_API_KEY: token }, argv, piping(''));
const json = async (...argv: string[]) => {
  const { code, out, err } = await outreach(...argv, '--json');
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${err}`);
  return JSON.parse(out);
};
const set = (id: number, status: 'completed' | 'paused') =>
  users.database.db.updateTable('lead_processes').set({ status }).where('id', '=', id).execute();

/** Resumes it and watches; what happens to it comes after the resume. */
async function watching(id: number, status: 'completed' | 'paused') {
  await set(id, 'paused');
  const watched = outreach('leads', 'resume', String(id), '--watch', '--yes');
  const read = async () => (await ann.ok('GET', `/v1/leads/process/${id}`)).status;
  await expect.poll(read).toBe('processing');
  await set(id, status);
  return watched;
}

const CHECKS = 'checks of addresses at an e-mail verifier (Reacher or ZeroBounce)';
const CONTACTS = 'contacts at a finder (Hunter or Apollo)';

describe('what a search buys', () => {
  it('is said before a discovery begins, and before a paused one goes on', async () => {
    const begun = await outreach('leads', 'discover', 'socks', '--count', '30');
    expect(begun).toMatchObject({ code: 2, err: expect.stringContaining('30 people') });
    const { id } = await json('leads', 'discover', 'socks', '--count', '30', '--yes');
    await set(id, 'paused');
    const asked = await outreach('leads', 'resume', String(id));
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('30 more at most') });
    expect(asked.err).toContain('Goes on with the search for "socks"');
    for (const { err } of [begun, asked]) {
      expect(err).toContain('ads at an ad library (Meta or Apify)');
      expect(err).toContain(CONTACTS);
      expect(err).toContain(CHECKS);
      expect(err).toContain('The wallet is not charged');
      expect(err).toContain('by an amount that is not known here');
    }
    expect((await ann.ok('GET', `/v1/leads/process/${id}`)).status).toBe('paused');
  });

  it('is said before a search of the map, with the addresses that are verified', async () => {
    const { code, err } = await outreach('leads', 'search-map', 'dentist', 'baker', '--most', '40');
    expect(code).toBe(2);
    expect(err).toContain('at most 80 places, whose websites are read');
    expect(err).toContain('The addresses found there are verified, too');
    expect(err).toContain('places at a map search (Apify or Google)');
    expect(err).toContain(CHECKS);
    expect(err).not.toContain(CONTACTS);
    expect((await ann.call('GET', '/v1/maps-scraper/runs')).body.data).toEqual([]);
  });
});

describe('outreach leads pause and resume', () => {
  it('stop a discovery and go on with it; the same again changes nothing', async () => {
    expect((await outreach('leads', 'discover', 'shoes')).code).toBe(2);
    const { id, status } = await json('leads', 'discover', 'shoes', '--yes');
    expect(status).toBe('processing');
    for (const time of ['once', 'again']) {
      const paused = await json('leads', 'pause', String(id));
      expect({ time, ...paused }).toMatchObject({ time, id, status: 'paused' });
    }
    const { out } = await outreach('leads', 'pause', String(id));
    expect(out).toMatch(/^Status: +paused$/m);
    expect(out).toContain(`outreach leads resume ${id} --watch`);
    const resume = ['leads', 'resume', String(id)];
    expect(await json(...resume, '--yes')).toMatchObject({ id, status: 'processing' });
    // Nobody is asked for what goes on anyway.
    expect(await json(...resume)).toMatchObject({ id, status: 'processing' });
    expect((await ann.ok('GET', `/v1/leads/process/${id}`)).status).toBe('processing');
  });

  it('follow it with --watch, and say how it goes on when somebody pauses it', async () => {
    const { id } = await json('leads', 'discover', 'boots', '--yes');
    const { code, err } = await watching(id, 'paused');
    expect([code, err]).toEqual([1, expect.stringContaining(`outreach leads resume ${id}`)]);
    const late = await outreach(
      'leads',
      'resume',
      String(id),
      '--watch',
      '--timeout',
      '1',
      '--yes',
    );
    expect(late.err).toContain(
      `Not over after 1 s. It goes on: outreach leads resume ${id} --watch`,
    );
    const { code: done, out } = await watching(id, 'completed');
    expect([done, out]).toEqual([0, expect.stringMatching(/^Status: +completed$/m)]);
  });

  it('are refused with the words of the API where it is over, or is none of theirs', async () => {
    const { id } = await json('leads', 'discover', 'hats', '--yes');
    await set(id, 'completed');
    for (const verb of ['pause', 'resume']) {
      const over = await outreach('leads', verb, String(id));
      expect([over.code, over.err]).toEqual([1, expect.stringMatching(/^PROCESS_NOT_ACTIVE: /)]);
      const none = await outreach('leads', verb, '99999');
      expect([none.code, none.err]).toEqual([1, expect.stringMatching(/^PROCESS_NOT_FOUND: /)]);
    }
  });
});
