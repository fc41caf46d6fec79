/** What schedules of a test order, and the campaign that their placement tests are of. */
import type { Context } from '../../../src/context.ts';
import { createCipher } from '../../../src/encryption/cipher.ts';
import { createSeed } from '../../../src/services/placement/placement-seeds.ts';
import type { ScheduleOrder } from '../../../src/services/schedules/schedules.ts';
import { addCampaign, addMailboxes } from '../campaigns/campaign-world.ts';
import { searchOrder } from './maps-world.ts';

/** Every day; of a maps run, where nothing else is said. */
export const scheduleOrder = (change: Partial<ScheduleOrder> = {}): ScheduleOrder => ({
  name: 'Bakeries',
  job: {
    kind: 'maps_run',
    order: { search: searchOrder(), scrapeContacts: false, verifyEmails: false },
  },
  onlyNewPlaces: true,
  times: { timeZone: 'UTC', time: '09:30', weekdays: [], daysOfMonth: [] },
  paused: false,
  ...change,
});

/** A campaign of the account with two mailboxes, and its seeds. */
export async function addSender(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { seeds = ['seed@seeds.test'] } = {},
): Promise<{ campaignId: number; mailboxIds: number[] }> {
  const needs = { db, config, cipher: createCipher(config.ENCRYPTION_KEYS) };
  await db
    .updateTable('users')
    .set({ sender_name: 'Ann Example', postal_address: '1 Main Street, Springfield' })
    .where('user_id', '=', 'user-1')
    .execute();
  const mailboxIds = await addMailboxes(needs, 'user-1', { count: 2 });
  const { campaignId } = await addCampaign(db, 'user-1', { leads: 1, mailboxIds });
  for (const address of seeds) {
    const imap = { host: 'imap.seeds.test', port: 993, tls: 'tls' as const };
    const login = { username: address, password: 'of-a-seed', imap };
    await createSeed(needs, 'user-1', { address, provider: 'other', ...login });
  }
  return { campaignId, mailboxIds };
}
