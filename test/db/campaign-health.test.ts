/**
 * At which shares a campaign is paused or warned about, by the installation's settings.
 * docs/sending-rules.md#when-sending-pauses.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCipher } from '../../src/encryption/cipher.ts';
import { checkHealth, type HealthSettings } from '../../src/transactions/campaign-health.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let userId: string;
let mailboxIds: number[];
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  userId = await addSender(db);
  const cipher = createCipher(`test:${Buffer.alloc(32, 1).toString('base64')}`);
  mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
});
afterAll(() => database?.close());

const DEFAULTS: HealthSettings = {
  SEND_BOUNCE_WARN_RATE: 0.02,
  SEND_BOUNCE_PAUSE_RATE: 0.05,
  SEND_COMPLAINT_PAUSE_RATE: 0.001,
  SEND_HEALTH_DAYS: 7,
  SEND_HEALTH_MIN_SENDS: 50,
  SEND_HEALTH_MIN_COMPLAINTS: 2,
  DAY_SECONDS: 86_400,
};
const now = new Date('2027-03-10T12:00:00Z');

interface Sent {
  sent: number;
  bounced?: number;
  complained?: number;
}

/** What becomes of a campaign that sent this, so many days ago. */
async function fateOf(sent: Sent, change: Partial<HealthSettings>, daysAgo = 0) {
  const { db } = database;
  const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
  const day = new Date(now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  await db
    .insertInto('campaign_counters')
    .values({ campaign_id: campaignId, day, step: 0, variant: 0, ...sent })
    .execute();
  if (await checkHealth(db, { ...DEFAULTS, ...change }, campaignId, now)) return 'paused';
  const { warning } = await db
    .selectFrom('campaigns')
    .select('warning')
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  return warning === null ? 'fine' : 'warned';
}

it.each<[Sent, Partial<HealthSettings>, string]>([
  [{ sent: 60, bounced: 3 }, {}, 'paused'],
  [{ sent: 60, bounced: 3 }, { SEND_BOUNCE_PAUSE_RATE: 0.06 }, 'warned'],
  [{ sent: 60, bounced: 3 }, { SEND_HEALTH_MIN_SENDS: 61 }, 'fine'],
  [{ sent: 100, bounced: 2 }, {}, 'warned'],
  [{ sent: 100, bounced: 2 }, { SEND_BOUNCE_WARN_RATE: 0.03 }, 'fine'],
  [{ sent: 100, bounced: 2 }, { SEND_BOUNCE_PAUSE_RATE: 0.02 }, 'paused'],
  [{ sent: 60, complained: 2 }, {}, 'paused'],
  [{ sent: 60, complained: 2 }, { SEND_HEALTH_MIN_COMPLAINTS: 3 }, 'fine'],
  [{ sent: 60, complained: 2 }, { SEND_COMPLAINT_PAUSE_RATE: 0.04 }, 'fine'],
])('%o with %o is %s', async (sent, change, fate) => {
  expect(await fateOf(sent, change)).toBe(fate);
});

it.each([
  [7, 'fine'],
  [10, 'paused'],
] as const)('what is nine days old counts within %i days: %s', async (days, fate) => {
  expect(await fateOf({ sent: 60, bounced: 3 }, { SEND_HEALTH_DAYS: days }, 9)).toBe(fate);
});
