/**
 * What uses a mailbox lets it go before it leaves its host. Choice 27;
 * docs/sending-rules.md#mailboxes-that-fail.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { WorkflowNotFoundError } from '@temporalio/client';
import { createActivities } from '../../activities/index.ts';
import { readLast } from '../../activities/clusters/teardown.ts';
import type { Context } from '../../src/context.ts';
import { noteMailboxFailing } from '../../src/db/inbox/inbox-sync-states.ts';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
import { markMailboxesDeleted } from '../../src/transactions/teardown.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { runCampaignFlow } from '../../src/domain/campaigns/flows.ts';
import { warmUpMailboxFlow } from '../../src/domain/warmup/flows.ts';
import { DEFAULT_WARMUP } from '../../src/domain/warmup/warmup.ts';
import { enrolWarmup, updateWarmup } from '../../src/db/warmup/warmups.ts';
import type { MailTransport } from '../../src/providers/mail-transport/port.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addOperation } from '../support/workflows/operations.ts';

let database: TestDatabase;
let api: TestApi;
let userId: string;
const signals: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const getHandle = (workflowId: string) => ({
    async signal(name: string) {
      signals.push(`${workflowId} ${name}`);
      if (workflowId.startsWith('warmup/')) throw new WorkflowNotFoundError('gone', workflowId, '');
    },
  });
  const temporal = { workflow: { getHandle } } as unknown as Context['temporal'];
  api = await startTestApi({ database, routes: () => [], context: { temporal } });
  userId = await addSender(database.db);
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

const FLOW_OF = { campaign: runCampaignFlow, warmup: warmUpMailboxFlow };
const begin = (resource: 'campaign' | 'warmup', resourceId: number) =>
  addOperation(database.db, FLOW_OF[resource], {
    userId,
    workflowId: `${resource}/${resourceId}`,
    resourceId,
  });

describe('a mailbox that is deleted', () => {
  it('gives who had no message to another mailbox, ends threads, and stops its warm-up', async () => {
    const { db } = database;
    const [gone, stays] = (await addMailboxes(api.context, userId, { count: 2 })) as [
      number,
      number,
    ];
    const mailboxIds = [gone, stays];
    const { campaignId, leadIds } = await addCampaign(db, userId, { leads: 4, mailboxIds });
    const [putOff, thread, elsewhere, free] = leadIds as [number, number, number, number];
    const due = async (leadId: number, mailboxId: number, step: number, state: string) => {
      await sql`update recipients set mailbox_id = ${mailboxId}, step = ${step}
        where campaign_id = ${campaignId} and lead_id = ${leadId}`.execute(db);
      await sql`insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain,
          message_id, state, claimed_by, claimed_at)
        values (${userId}, ${campaignId}, ${leadId}, 0, ${mailboxId}, 'x.test',
          ${`<${campaignId}-${leadId}@x>`}, ${state}, gen_random_uuid(), now())`.execute(db);
    };
    await due(putOff, gone, 0, 'deferred');
    await due(thread, gone, 1, 'sent');
    await due(elsewhere, stays, 1, 'sent');
    await db.transaction().execute(async (trx) => {
      await enrolWarmup(trx, { id: gone, userId }, DEFAULT_WARMUP);
      await updateWarmup(trx, gone, { status: 'warming' });
    });
    await begin('campaign', campaignId);
    await begin('warmup', gone);
    await db.updateTable('mailboxes').set({ status: 'deleting' }).where('id', '=', gone).execute();
    const activities = createActivities(api.context);
    const step = { operationId: 0, mailboxId: gone };
    const release = () =>
      activityEnvironment().run((given: typeof step) => activities.releaseMailbox(given), step);
    await release();
    await release();
    const recipients = await db
      .selectFrom('recipients')
      .select(['lead_id', 'status', 'mailbox_id', 'hold_reason'])
      .where('campaign_id', '=', campaignId)
      .orderBy('lead_id')
      .execute();
    expect(recipients).toEqual([
      { lead_id: putOff, status: 'queued', mailbox_id: null, hold_reason: null },
      { lead_id: thread, status: 'failed', mailbox_id: gone, hold_reason: 'no_mailbox' },
      { lead_id: elsewhere, status: 'queued', mailbox_id: stays, hold_reason: null },
      { lead_id: free, status: 'queued', mailbox_id: null, hold_reason: null },
    ]);
    const warmup = await db
      .selectFrom('warmups')
      .select(['status', 'status_reason'])
      .where('mailbox_id', '=', gone)
      .executeTakeFirstOrThrow();
    expect(warmup).toEqual({ status: 'inactive', status_reason: 'mailbox_gone' });
    const told = [`warmup/${gone} cancel`, `campaign/${campaignId} settingsChanged`];
    expect(signals).toEqual([...told, ...told]);
  });

  it('that could not be read raises no alarm once it is on its way out', async () => {
    const { db } = database;
    const ids = await addMailboxes(api.context, userId, { count: 2 });
    for (const id of ids) {
      await noteMailboxFailing(db, id, {
        error: 'down',
        reason: 'host_unreachable',
        at: new Date(),
      });
    }
    const failing = async () => (await readOperatorNumbers(db)).inboxesFailing;
    expect(await failing()).toBe(2);
    await db
      .updateTable('mailboxes')
      .set({ status: 'deleting' })
      .where('id', '=', ids[0]!)
      .execute();
    expect(await failing()).toBe(1);
    for (const mailboxId of [ids[0]!, ids[1]!, ids[1]!]) {
      await db.transaction().execute((trx) => markMailboxesDeleted(trx, { mailboxId }));
    }
    const left = await db
      .selectFrom('mailbox_syncs')
      .select('mailbox_id')
      .where('failing_since', 'is not', null)
      .execute();
    expect([await failing(), left]).toEqual([0, []]);
  });
});

describe('the last look at mailboxes that leave', () => {
  const BUDGET_MS = 2_000;

  /** Those of a cluster that is being deleted. */
  async function leaving(count: number): Promise<number[]> {
    const ids = await addMailboxes(api.context, userId, { count });
    await database.db
      .updateTable('mailboxes')
      .set({ status: 'deleting' })
      .where('id', 'in', ids)
      .execute();
    return ids;
  }
  const look = async (ids: readonly number[], openImap: MailTransport['openImap']) => {
    const mailTransport = { ...api.context.mailTransport, openImap };
    const context = { ...api.context, mailTransport };
    await activityEnvironment().run(
      (given: readonly number[]) => readLast(context, given, BUDGET_MS),
      ids,
    );
  };

  it('ends at a host that does not answer, which costs one time-out, not one for each', async () => {
    let calls = 0;
    await look(await leaving(5), async () => {
      calls += 1;
      throw new ProviderError('unavailable', 'no answer', { provider: 'imap' });
    });
    expect(calls).toBe(1);
  });

  it('goes on after a mailbox that refuses its login, and ends when its time is over', async () => {
    let calls = 0;
    const refuse = async (): Promise<never> => {
      calls += 1;
      if (calls === 2) await sleep(BUDGET_MS + 100);
      const facts = { provider: 'imap', providerCode: 'AUTHENTICATIONFAILED' };
      throw new ProviderError('rejected', 'refused', facts);
    };
    await look(await leaving(5), refuse);
    expect(calls).toBe(2);
  });
});
