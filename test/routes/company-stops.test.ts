/** Campaigns that stop a whole company when somebody of it answers. Choice 115. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endOpenCompanies } from '../../activities/campaigns/open-companies.ts';
import type { Config } from '../../src/config.ts';
import { holdForOutcomes } from '../../src/db/campaigns/answer-locks.ts';
import {
  endMoreOfCompany,
  listOpenCompanies,
  stopCompanies,
} from '../../src/db/campaigns/company-replies.ts';
import { lockUserCampaign } from '../../src/db/campaigns/campaigns.ts';
import { beginMessages } from '../../src/db/sending/send-progress.ts';
import { environmentSchema } from '../../src/settings/environment.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import { answerTo, type Answer } from '../support/campaigns/answers.ts';
import {
  MESSAGE,
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  users.clock.at = MONDAY;
  ann = await users.newUser();
});

const config = {
  ...environmentSchema.parse({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
  }),
  SEND_MIN_GAP_SECONDS: 0,
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: 0,
} as Config;

const db = () => users.database.db;
const context = () => ({ db: db(), clock: { now: () => users.clock.at } });

/** Leads `p<n>@<name>.example`, a company and a list of their own. */
async function company(name: string, count: number): Promise<number[]> {
  const { id: leadListId } = await ann.ok('POST', '/v1/lead-lists', { name });
  const people = Array.from({ length: count }, (_, n) => ({
    firstName: `P${n}`,
    lastName: name,
    email: `p${n}@${name}.example`,
  }));
  const { leads } = await ann.ok('POST', '/v1/leads', { company_name: name, leadListId, people });
  return leads.map(({ id }: { id: number }) => id);
}

const STOP = { stopCompanyOnReply: true };

/** A started campaign with these leads. */
async function started(leadIds: number[], order: object = STOP) {
  const { id } = await ann.campaign({ maxFollowups: 1, ...order }, 0);
  await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });
  await ann.ok('POST', `/v1/campaigns/${id}/start`);
  return id as number;
}

const attempt = randomUUID();
const claim = (campaignId: number) =>
  db()
    .transaction()
    .execute((trx) =>
      claimMessages(trx, config, {
        campaignId,
        claimedBy: attempt,
        now: users.clock.at,
        most: 50,
      }),
    );

const answers = (campaignId: number, leadId: number, message: Answer = {}) =>
  answerTo(db(), { campaignId, leadId, ...message });

const lead = (campaignId: number, leadId: number) =>
  ann.ok('GET', `/v1/campaigns/${campaignId}/leads/${leadId}`);
const ended = { status: 'skipped', holdReason: 'company_replied', nextSendAt: null };

describe('stopCompanyOnReply', () => {
  it('ends all others of the company, paused ones included, and nobody else', async () => {
    const acme = await company('acme', 4);
    const other = await company('other', 1);
    const id = await started([...acme, ...other]);
    await ann.ok('POST', `/v1/campaigns/${id}/leads/${acme[3]}/pause`);
    await answers(id, acme[0]!);
    expect(await lead(id, acme[0]!)).toMatchObject({ status: 'replied' });
    for (const leadId of acme.slice(1)) expect(await lead(id, leadId)).toMatchObject(ended);
    expect((await lead(id, acme[1]!)).explanation).toContain('same company has answered');
    expect(await lead(id, other[0]!)).toMatchObject({ status: 'queued', holdReason: null });
    const read = await ann.ok('GET', `/v1/campaigns/${id}`);
    expect(read).toMatchObject({ ...STOP, stats: { leads: 5, replied: 1, companyReplied: 3 } });
    const { body } = await ann.call('GET', `/v1/campaigns/${id}/export`);
    expect(String(body).match(/skipped,company_replied/g)).toHaveLength(3);
    expect((await claim(id)).messages.map(({ leadId }) => leadId)).toEqual(other);
  });

  it('only where the campaign says so, and only in that campaign', async () => {
    const acme = await company('acme', 2);
    const stops = await started(acme);
    const goesOn = await started(acme, {});
    await answers(goesOn, acme[0]!);
    expect(await lead(goesOn, acme[1]!)).toMatchObject({ status: 'queued' });
    expect(await lead(stops, acme[1]!)).toMatchObject({ status: 'queued' });
    expect((await ann.ok('GET', `/v1/campaigns/${goesOn}`)).stopCompanyOnReply).toBe(false);
  });

  it('not for automatic answers; for a doubtful one once a person calls it a reply', async () => {
    const acme = await company('acme', 3);
    const id = await started(acme);
    await answers(id, acme[0]!, {
      text: 'I am out of office until further notice.',
      headers: { 'Auto-Submitted': 'auto-replied', 'X-Autoreply': 'yes', Precedence: 'bulk' },
    });
    await answers(id, acme[1]!, { text: 'Hmm.', headers: { 'Auto-Submitted': 'auto-replied' } });
    expect(await lead(id, acme[2]!)).toMatchObject({ status: 'queued' });
    const { items } = await ann.ok('GET', '/v1/inbox?kind=needs_review');
    await ann.ok('PATCH', `/v1/inbox/${items[0].id}`, { kind: 'reply' });
    expect(await lead(id, acme[2]!)).toMatchObject(ended);
  });

  it('a lead without a company stops nobody', async () => {
    const [one, two] = (await ann.leads(2)) as [number, number];
    const id = await started([one, two]);
    await answers(id, one);
    expect(await lead(id, two)).toMatchObject({ status: 'queued' });
  });

  it('who is added after the answer is left out, and may come back once it is switched off', async () => {
    const acme = await company('acme', 3);
    const id = await started(acme.slice(0, 2));
    await answers(id, acme[0]!);
    const path = `/v1/campaigns/${id}/leads`;
    expect(await ann.ok('POST', path, { leadIds: [acme[2]] })).toMatchObject({
      added: 0,
      skippedReasons: { company_replied: 1 },
    });
    expect(await lead(id, acme[2]!)).toMatchObject({ holdReason: 'company_replied' });
    await ann.ok('DELETE', `${path}/${acme[1]}`);
    expect(await ann.ok('POST', path, { leadIds: [acme[1]] })).toMatchObject({ added: 0 });
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { stopCompanyOnReply: false });
    expect(await ann.ok('POST', path, { leadIds: acme.slice(1) })).toMatchObject({ added: 2 });
    expect((await claim(id)).messages).toHaveLength(2);
  });

  it('switched on later, it holds for answers of before', async () => {
    const acme = await company('acme', 3);
    const id = await started(acme, {});
    await answers(id, acme[0]!);
    expect(await ann.ok('PATCH', `/v1/campaigns/${id}`, STOP)).toMatchObject(STOP);
    // Nobody is written to, even before they are ended one by one.
    expect((await claim(id)).messages).toEqual([]);
    await endOpenCompanies(context());
    expect(await lead(id, acme[2]!)).toMatchObject(ended);
  });

  it('a message that is claimed is not begun any more, one in delivery is the last', async () => {
    const acme = await company('acme', 3);
    const id = await started(acme);
    const messages = (await claim(id)).messages;
    const of = (leadId: number) => messages.find((one) => one.leadId === leadId)!;
    const [inDelivery, claimed] = [of(acme[1]!), of(acme[2]!)];
    const text = ({ sendId }: typeof claimed) => ({
      sendId,
      fromName: 'Ann',
      to: 'p@acme.example',
      subject: 'Hello',
      text: 'Hi',
      references: [],
      at: MONDAY,
    });
    expect(await beginMessages(db(), attempt, [text(inDelivery)])).toEqual(
      new Set([inDelivery.sendId]),
    );
    await answers(id, acme[0]!);
    expect(await beginMessages(db(), attempt, [text(claimed)])).toEqual(new Set());
    const end = (message: typeof claimed, state: 'sent' | 'back') => ({
      sendId: message.sendId,
      leadId: message.leadId,
      mailboxId: message.mailboxId,
      messageId: message.messageId,
      step: 0,
      variant: 0,
      state,
      reply: '250 ok',
      subject: 'Hello',
      at: MONDAY,
      hasBounced: false,
      isRejected: false,
      recipient:
        state === 'sent'
          ? { status: 'in_progress' as const, step: 1, dueAt: MONDAY, holdReason: null }
          : { status: 'queued' as const, step: 0, dueAt: MONDAY, holdReason: null },
    });
    const session = { campaignId: id, userId: ann.userId, claimedBy: attempt };
    await db()
      .transaction()
      .execute((trx) =>
        writeDeliveryResults(trx, session, [end(inDelivery, 'sent'), end(claimed, 'back')]),
      );
    expect(await lead(id, acme[1]!)).toMatchObject({ ...ended, step: 1 });
    expect(await lead(id, acme[2]!)).toMatchObject({ ...ended, step: 0, sends: [] });
    expect((await claim(id)).messages).toEqual([]);
  });

  it('a large company is ended in parts, whatever dies in between, and never written to', async () => {
    const people = await company('large', 2);
    const id = await started(people.slice(0, 1));
    await sql`
      with more as (
        insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key, provenance)
        select leads.user_id, company_id, 'N', 'N', 'n' || n, 'n' || n || '@large.example',
          'n' || n || '@large.example', '{}'
        from leads, generate_series(1, 1500) as n where leads.id = ${people[0]!}
        returning id, user_id
      )
      insert into recipients (campaign_id, lead_id, user_id, due_at)
      select ${id}, id, user_id, ${MONDAY} from more`.execute(db());
    const of = (leadId: number) => ({
      userId: ann.userId,
      campaignId: id,
      leadId,
      emailKey: null,
    });
    // The process dies before the commit: nothing has happened, and the repeat does it all.
    const dying = db()
      .transaction()
      .execute(async (trx) => {
        await stopCompanies(trx, of(people[0]!), MONDAY);
        throw new Error('killed');
      });
    await expect(dying).rejects.toThrow('killed');
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats.companyReplied).toBe(0);
    await answers(id, people[0]!);
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats.companyReplied).toBe(100);
    expect((await claim(id)).messages).toEqual([]);
    await Promise.all([endOpenCompanies(context()), endOpenCompanies(context())]);
    const { stats } = await ann.ok('GET', `/v1/campaigns/${id}`);
    expect(stats).toMatchObject({ leads: 1501, companyReplied: 1500 });
    await endOpenCompanies(context());
    const open = await db()
      .selectFrom('company_replies')
      .select('is_open')
      .where('campaign_id', '=', id)
      .execute();
    expect(open).toEqual([{ is_open: false }]);
  });

  it('switched off while people are ended, the rest is written to', async () => {
    const acme = await company('acme', 2);
    const id = await started(acme, {});
    await answers(id, acme[0]!);
    await ann.ok('PATCH', `/v1/campaigns/${id}`, STOP);
    const [open] = await listOpenCompanies(db());
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { stopCompanyOnReply: false });
    const isOver = await db()
      .transaction()
      .execute((trx) => endMoreOfCompany(trx, open!, MONDAY));
    expect(isOver).toBe(true);
    expect(await lead(id, acme[1]!)).toMatchObject({ status: 'queued', holdReason: null });
  });

  it.each([
    ['the campaign', 'changes', STOP],
    ['this setting', 'outcomes', {}],
  ] as const)(
    'a reply waits for a change of %s before it locks anything',
    async (_, lock, order) => {
      const acme = await company('acme', 2);
      const id = await started(acme, order);
      let storing: Promise<void> | undefined;
      await db()
        .transaction()
        .execute(async (trx) => {
          await lockUserCampaign(trx, ann.userId, id, lock);
          storing = answers(id, acme[0]!);
          await untilWaiting(db());
          // What whoever changes campaigns locks next.
          for (const table of ['recipients', 'sends']) {
            await sql`select from ${sql.table(table)} where campaign_id = ${id}
            for update nowait`.execute(trx);
          }
        });
      await storing;
      const other = order === STOP ? ended : { status: 'queued' };
      expect(await lead(id, acme[1]!)).toMatchObject(other);
    },
  );

  it('a change of the setting waits for replies that have looked at it, others do not', async () => {
    const id = await started(await company('acme', 1), {});
    let changing: Promise<unknown> | undefined;
    await db()
      .transaction()
      .execute(async (trx) => {
        await sql`select from campaigns where id = ${id} for key share`.execute(trx);
        await ann.ok('PATCH', `/v1/campaigns/${id}`, { name: 'Other', maxFollowups: 2 });
        changing = ann.ok('PATCH', `/v1/campaigns/${id}`, STOP);
        await untilWaiting(db());
      });
    expect(await changing).toMatchObject({ name: 'Other', ...STOP });
  });

  it('several outcomes of one transaction wait for a change of their campaign, one does not', async () => {
    const id = await started(await company('acme', 2), {});
    const hold = (campaignIds: number[]) =>
      db()
        .transaction()
        .execute((trx) => holdForOutcomes(trx, campaignIds));
    let holding: Promise<void> | undefined;
    await db()
      .transaction()
      .execute(async (trx) => {
        await lockUserCampaign(trx, ann.userId, id);
        await hold([id]);
        holding = hold([id, id]);
        expect(await untilWaiting(db())).toHaveLength(1);
      });
    await holding;
  });

  it('is taken along by a duplicate, told in the audit log, and validated', async () => {
    const { id } = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...STOP });
    expect(await ann.ok('POST', `/v1/campaigns/${id}/duplicate`)).toMatchObject(STOP);
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { stopCompanyOnReply: false });
    const entries = await ann.ok('GET', '/v1/audit-log?action=campaigns.update');
    expect(entries).toMatchObject([{ after: { stopCompanyOnReply: false } }]);
    const wrong = await ann.call('POST', '/v1/campaigns', { ...MESSAGE, stopCompanyOnReply: 1 });
    expect(wrong).toMatchObject({
      status: 400,
      body: { details: [{ field: 'stopCompanyOnReply' }] },
    });
  });
});
