/** GET /v1/sending-pauses, and what operators see of refusals. Choice 9. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Registry } from 'prom-client';
import { pino } from 'pino';
import { addOperatorGauges } from '../../src/telemetry/operator-metrics.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { newSend } from '../support/inbox/inbox-sends.ts';
import { userWith } from '../support/wallet/wallet.ts';

const { api, database } = describeApi();
let userId: string;
let token: string;
beforeEach(async () => {
  userId = await userWith(database.db, 0);
  token = await api.jwt(userId);
});

const WORDS = '550 5.7.350 Remote server returned message detected as spam';
const hours = (n: number) => new Date(Date.now() + n * 3_600_000);

async function pause(scope: 'mailbox' | 'server' | 'provider', subject: string, until: Date) {
  const row = { scope, subject, letters: 20, rejected: 3, words: WORDS, since: hours(-30), until };
  await database.db
    .insertInto('sending_pauses')
    .values({ user_id: userId, ...row })
    .execute();
  return row;
}

const list = async (query = '') => {
  const { status, body } = await api.call('GET', `/v1/sending-pauses${query}`, { token });
  expect(status).toBe(200);
  return body;
};

describe('GET /v1/sending-pauses', () => {
  it('shows what is paused and was, the newest first, with the words of the server', async () => {
    const over = await pause('mailbox', '7', hours(-1));
    const running = await pause('provider', 'microsoft', hours(5));
    const shown = ({ since, until, letters, ...row }: typeof over) => ({
      id: expect.any(Number),
      ...row,
      messages: letters,
      reason: 'policy_rejections',
      since: since.toISOString(),
      until: until.toISOString(),
    });
    const { data, meta } = await list();
    expect(data).toEqual([
      { state: 'running', ...shown(running) },
      { state: 'over', ...shown(over) },
    ]);
    expect(meta.pagination).toMatchObject({ total: 2 });
    expect((await list('?state=running')).data).toEqual([data[0]]);
    expect((await list('?state=over')).data).toEqual([data[1]]);
    expect((await list('?scope=mailbox&state=running')).data).toEqual([]);
    expect((await list('?limit=1&page=2')).data).toEqual([data[1]]);
  });

  it('shows nobody those of others', async () => {
    await pause('server', '4', hours(5));
    token = await api.jwt(await userWith(database.db, 0));
    expect((await list()).data).toEqual([]);
  });
});

describe('metrics', () => {
  it('count pauses that run by what is paused, and refusals by what they are about', async () => {
    const { db } = database;
    await db.deleteFrom('sending_pauses').execute();
    await pause('server', '4', hours(5));
    await pause('mailbox', '7', hours(5));
    await pause('mailbox', '8', hours(5));
    await pause('mailbox', '9', hours(-1));
    const { campaignId } = await newSend(db);
    const day = (ago: number) =>
      hours(-24 * ago)
        .toISOString()
        .slice(0, 10);
    const counted = (ago: number, rejected: number, bounced: number) => ({
      campaign_id: campaignId,
      day: day(ago),
      step: 0,
      variant: 0,
      rejected,
      bounced,
    });
    await db
      .insertInto('campaign_counters')
      .values([counted(0, 2, 5), counted(1, 1, 0), counted(3, 10, 10)])
      .execute();
    const registry = new Registry();
    addOperatorGauges(registry, { db, logger: pino({ level: 'silent' }) });
    const text = await registry.metrics();
    for (const line of [
      'outreach_sending_pauses{scope="server"} 1',
      'outreach_sending_pauses{scope="mailbox"} 2',
      'outreach_sending_pauses{scope="domain"} 0',
      'outreach_refusals{class="policy"} 3',
      'outreach_refusals{class="address"} 5',
    ]) {
      expect(text).toContain(line);
    }
  });
});
