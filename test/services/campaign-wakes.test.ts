/** Who is woken when a mailbox may send more than campaigns knew when they fell asleep. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCipher } from '../../src/encryption/cipher.ts';
import { environmentSchema } from '../../src/settings/environment.ts';
import type { Context } from '../../src/context.ts';
import { runCampaignFlow } from '../../src/domain/campaigns/flows.ts';
import { changeMailboxLimits } from '../../src/services/mailboxes/mailbox-limits.ts';
import { actOnWarmup } from '../../src/services/warmup/warmup.ts';
import {
  addCampaign,
  addLeads,
  addMailboxes,
  addSender,
} from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addOperation } from '../support/workflows/operations.ts';
import { withoutRunKey } from '../support/workflows/run-keys.ts';

const HOUR = 3_600_000;
const NOW = new Date('2026-03-02T12:00:00Z');

let database: TestDatabase;
let context: Context;
let userId: string;
let mailboxId: number;
let otherId: number;
const heard: { workflowId: string; signal: string }[] = [];
let isReachable = true;

beforeAll(async () => {
  database = await createTestDatabase();
  const keys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  const config = environmentSchema.parse({ DATABASE_URL: 'postgres://-', ENCRYPTION_KEYS: keys });
  context = {
    db: database.db,
    config,
    cipher: createCipher(keys),
    clock: { now: () => NOW },
    temporal: ears(),
    startOperation: async () => true,
  } as unknown as Context;
  userId = await addSender(database.db);
  [mailboxId, otherId] = (await addMailboxes(context, userId, { count: 2 })) as [number, number];
});
afterAll(() => database.close());
beforeEach(async () => {
  heard.length = 0;
  isReachable = true;
  await database.db.updateTable('campaigns').set({ status: 'cancelled' }).execute();
});

/** Temporal as far as signals go. */
function ears(): Context['temporal'] {
  const getHandle = (workflowId: string) => ({
    async signal({ name }: { name: string }) {
      if (!isReachable) throw new Error('nobody listens');
      heard.push({ workflowId: withoutRunKey(workflowId), signal: name });
    },
  });
  const withDeadline = <T>(_: number, work: () => Promise<T>) => work();
  return { workflow: { getHandle }, withDeadline } as unknown as Context['temporal'];
}

/** An active campaign with one lead and a workflow. */
async function campaign(
  options: { dueInHours?: number; mailboxIds?: number[] } = {},
): Promise<number> {
  const { dueInHours = -1, mailboxIds = [mailboxId] } = options;
  const dueAt = new Date(NOW.getTime() + dueInHours * HOUR);
  const leads = await addLeads(database.db, userId, 1);
  const { campaignId } = await addCampaign(database.db, userId, { leads, mailboxIds, dueAt });
  const workflowId = runCampaignFlow.workflowId({ campaignId, run: 1 });
  await addOperation(database.db, runCampaignFlow, { userId, workflowId, resourceId: campaignId });
  return campaignId;
}

const raise = () => changeMailboxLimits(context, { userId, mailboxId }, { dailyLimit: 40 });
const woken = () => heard.map(({ workflowId }) => workflowId);

describe('a mailbox whose limits are changed', () => {
  it('wakes the campaigns that may wait for it, and no others', async () => {
    const waiting = await campaign();
    const soon = await campaign({ dueInHours: 20 });
    await campaign({ dueInHours: 30 });
    await campaign({ mailboxIds: [otherId] });
    const paused = await campaign();
    await database.db
      .updateTable('campaigns')
      .set({ status: 'paused' })
      .where('id', '=', paused)
      .execute();
    const ended = await campaign();
    await database.db
      .updateTable('operations')
      .set({ finished_at: NOW })
      .where('resource_id', '=', ended)
      .where('resource_type', '=', 'campaign')
      .execute();
    expect(await raise()).toMatchObject({ dailyLimit: 40 });
    expect(woken().toSorted()).toEqual([`campaign/${waiting}`, `campaign/${soon}`].toSorted());
    expect(new Set(heard.map(({ signal }) => signal))).toEqual(new Set(['settingsChanged']));
  });

  it('wakes a campaign that it was taken off for its threads alone', async () => {
    const firsts = await campaign();
    const threads = await campaign();
    await database.db
      .updateTable('campaign_mailboxes')
      .set({ out_reason: 'removed' })
      .where('campaign_id', 'in', [firsts, threads])
      .execute();
    await database.db
      .updateTable('recipients')
      .set({ mailbox_id: mailboxId, step: 1, status: 'in_progress' })
      .where('campaign_id', '=', threads)
      .execute();
    await raise();
    expect(woken()).toEqual([`campaign/${threads}`]);
  });

  it('has its new limits when nobody can be told', async () => {
    await campaign();
    isReachable = false;
    expect(await raise()).toMatchObject({ dailyLimit: 40 });
    expect(heard).toEqual([]);
  });
});

describe('a warm-up', () => {
  it('wakes campaigns when it is resumed or stopped, not when it holds mail back', async () => {
    const id = await campaign();
    const act = (action: 'start' | 'pause' | 'resume' | 'stop') =>
      actOnWarmup(context, { userId, mailboxId }, action);
    await act('start');
    await act('pause');
    expect(woken()).not.toContain(`campaign/${id}`);
    await act('resume');
    await act('stop');
    expect(woken().filter((workflowId) => workflowId === `campaign/${id}`)).toHaveLength(2);
  });
});
