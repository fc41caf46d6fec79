/** The simulation's referee hears of each text that has won once, however transactions end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertEvents } from '../../../src/db/webhooks/events.ts';
import { addSender } from '../../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { createBook } from '../book.ts';
import { createDecisions } from './decisions.ts';
import { createTextRules } from './text-rules.ts';

let database: TestDatabase;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  userId = await addSender(database.db);
});
afterAll(() => database.close());

/** In a transaction that stays open. */
async function beginTelling(campaignId: number) {
  const trx = await database.db.startTransaction().execute();
  const payload = { campaignId, step: 0, variant: 1, at: '2026-03-02T10:00:00.000Z' };
  const resource = `campaign/${campaignId}`;
  await insertEvents(trx, [{ userId, resource, type: 'campaign.variant_won', payload } as never]);
  return () => trx.commit().execute();
}

describe('texts that have won', () => {
  it('are heard of once each, in whatever order their transactions end', async () => {
    const book = createBook();
    for (const id of [1, 2, 3]) book.campaigns.push({ id, comparing: { tests: [] } } as never);
    const heard: string[] = [];
    const decisions = createDecisions(database.db, {
      book,
      texts: createTextRules(book),
      userId,
      isSure: () => true,
      now: () => Date.parse('2026-03-02T10:00:00.000Z'),
      breach: (rule) => void heard.push(/campaign \d/.exec(rule)![0]),
    });
    const endFirst = await beginTelling(1);
    const endSecond = await beginTelling(2);
    await endSecond();
    await decisions.note();
    await decisions.note();
    expect(heard).toEqual(['campaign 2']);
    await endFirst();
    await decisions.note();
    expect(heard).toEqual(['campaign 2', 'campaign 1']);
    await (
      await beginTelling(3)
    )();
    await decisions.note();
    await decisions.note();
    expect(heard).toEqual(['campaign 2', 'campaign 1', 'campaign 3']);
    expect(decisions.count()).toBe(3);
  });
});
