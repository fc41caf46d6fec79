/** Bounces, complaints and unsubscriptions wait for nothing else of the account. Choice 153. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { runSerially } from '../../activities/inbox/serial-work.ts';
import { lockInbox } from '../../src/db/inbox/inbox-counts.ts';
import type { Database } from '../../src/db/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { newSend, report } from '../support/inbox/inbox-sends.ts';

let database: TestDatabase;
let db: Kysely<Database>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 10 });
  // The first message of a process takes longer to read than a hundred later ones.
  for (const { text } of Object.values(ARRIVALS)) {
    const one = await newSend(db);
    await one.receive([text(one)]);
  }
});
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

type Sent = Awaited<ReturnType<typeof newSend>>;

/** Who waits for the other mailbox waits without end here: the limit is for a machine that is busy. */
const PATIENCE_MS = 30_000;

/** Everything that says that nobody writes to the recipient any more, and who was told. */
async function outcomeOf({ userId, campaignId, leadId }: Sent) {
  const { rows } = await sql<{
    recipient: string;
    lead: string;
    reason: string | null;
    events: string[];
  }>`
    select recipients.status as recipient, leads.status as lead,
      (select reason from suppressions where user_id = ${userId}) as reason,
      array(select type from events where user_id = ${userId}
        and type <> 'message.received' order by id) as events
    from recipients join leads on leads.id = recipients.lead_id
    where recipients.campaign_id = ${campaignId} and recipients.lead_id = ${leadId}`.execute(db);
  return rows[0]!;
}

async function untilStopped(one: Sent): Promise<void> {
  const started = performance.now();
  for (;;) {
    const { recipient, reason } = await outcomeOf(one);
    if (recipient !== 'in_progress' && reason !== null) return;
    if (performance.now() - started > PATIENCE_MS) throw new Error(`still ${recipient}`);
    await sleep(20);
  }
}

/** What arrives in the inbox, and what it makes of the recipient. */
const ARRIVALS = {
  bounce: {
    text: (one: Sent) => report(one.email, one.original),
    outcome: { recipient: 'bounced', lead: 'bounced', reason: 'bounce' },
    event: 'email.bounced',
  },
  unsubscription: {
    text: (one: Sent) =>
      rawMessage({
        from: one.lead,
        headers: { 'In-Reply-To': one.messageId },
        text: 'unsubscribe',
      }),
    outcome: { recipient: 'unsubscribed', lead: 'unsubscribed', reason: 'unsubscribe' },
    event: 'email.unsubscribed',
  },
};

/** Runs `meanwhile` while another process stores messages of the account. */
const whileStoring = (one: Sent, meanwhile: () => Promise<void>) =>
  db.transaction().execute(async (trx) => {
    await lockInbox(trx, one.userId);
    await meanwhile();
  });

describe('while another mailbox of the account stores what came to it', () => {
  it.each(Object.entries(ARRIVALS))('a %s counts at once', async (_name, arrival) => {
    const one = await newSend(db);
    let stored = false;
    let storing: Promise<unknown> | undefined;
    const holdsQueue = (work: () => Promise<void>) => runSerially(one.userId, work);
    await holdsQueue(() =>
      whileStoring(one, async () => {
        const arrived = one.receive([arrival.text(one)]);
        storing = arrived.then(() => (stored = true));
        storing.catch(() => undefined);
        await untilStopped(one);
        expect(stored).toBe(false);
      }),
    );
    await storing;
    expect(await one.messages()).toHaveLength(1);
    expect(await outcomeOf(one)).toEqual({ ...arrival.outcome, events: [arrival.event] });
  });

  it('a death after that changes nothing: the message is stored later, and counted once', async () => {
    const one = await newSend(db);
    const { text, outcome, event } = ARRIVALS.bounce;
    await whileStoring(one, async () => {
      const dying = one.receive([text(one)]);
      dying.catch(() => undefined);
      await untilStopped(one);
      // The death of its process ends the connection, too.
      const [waiting] = await untilWaiting(db, 1, 'insert into inbox_counts');
      await sql`select pg_terminate_backend(${waiting})`.execute(db);
      await expect(dying).rejects.toThrow('terminat');
    });
    expect(await one.messages()).toEqual([]);
    const after = { ...outcome, events: [event] };
    expect(await outcomeOf(one)).toEqual(after);
    expect(await one.receive([text(one)])).toEqual({ added: 1 });
    expect(await outcomeOf(one)).toEqual(after);
    const counters = db
      .selectFrom('campaign_counters')
      .select('bounced')
      .where('campaign_id', '=', one.campaignId)
      .where('bounced', '>', 0);
    expect(await counters.execute()).toEqual([{ bounced: 1 }]);
  });
});

describe('different messages with one Message-ID', () => {
  it('count as the first of them, which is stored: an answer is not lost', async () => {
    const one = await newSend(db);
    const about = { 'In-Reply-To': one.messageId };
    const id = 'same@client.test';
    const answer = rawMessage({ from: one.lead, id, headers: about, text: 'Yes, call me.' });
    const wish = rawMessage({ from: one.lead, id, headers: about, text: 'unsubscribe' });
    expect(await one.receive([answer, wish])).toEqual({ added: 1 });
    const [stored] = await one.messages();
    expect(stored).toMatchObject({ kind: 'reply' });
    const { replied_at: repliedAt, unsubscribed_at: unsubscribedAt } = await one.send();
    expect(repliedAt).not.toBeNull();
    expect(unsubscribedAt).toBeNull();
    expect(await outcomeOf(one)).toMatchObject({ recipient: 'replied', reason: null });
  });
});

it('nothing is recorded for a reading that is given up', async () => {
  const one = await newSend(db);
  const signal = AbortSignal.abort();
  const texts = [ARRIVALS.bounce.text(one), ARRIVALS.unsubscription.text(one)];
  await expect(one.receive(texts, 'inbox', { signal })).rejects.toThrow('aborted');
  expect(await outcomeOf(one)).toMatchObject({ recipient: 'queued', reason: null });
});
