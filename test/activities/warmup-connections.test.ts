/** Warm-up and the inbox at work in one mailbox, on a real Dovecot: one connection at most. Spec: Warm-up. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runSyncSession } from '../../activities/inbox/sync-session.ts';
import { runWarmupSession } from '../../activities/warmup/warmup-session.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { syncInboxFlow } from '../../src/domain/inbox/flows.ts';
import { environmentSchema } from '../../src/settings/environment.ts';
import { whyNoDovecot } from '../support/mail/dovecot.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { startInboxWorld, type InboxWorld, type SyncedUser } from '../support/inbox/inbox-world.ts';
import { addExpected, enrolFirst, messageOf } from '../support/inbox/warmup-messages.ts';
import { addOperation } from '../support/workflows/operations.ts';

const missing = whyNoDovecot();
if (missing) console.warn(`warmup-connections.test.ts is skipped: ${missing}`);

describe.skipIf(missing !== undefined)('a mailbox in warm-up whose inbox is read', () => {
  let world: InboxWorld;
  beforeAll(async () => {
    world = await startInboxWorld();
    const defaults = environmentSchema.parse({
      DATABASE_URL: world.database.url,
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      JWT_SECRET: 'x'.repeat(32),
    });
    // What partners wrote is looked for every half second.
    Object.assign(world.context.config, defaults, { INBOX_POLL_SECONDS: 60, DAY_SECONDS: 120 });
  });
  afterAll(() => world?.close());

  /** A partner's message in `folder` of the first mailbox, and its row. */
  async function expectMessage(user: SyncedUser, folder: 'INBOX' | 'Spam'): Promise<number> {
    const { id, name } = await addExpected(world.database.db, user);
    const client = await user.imap();
    await client.append(folder, Buffer.from(rawMessage({ to: user.email, id: name })), []);
    await client.close();
    return id;
  }

  const letter = (id: number) => messageOf(world.database.db, id);
  const warmupOf = ({ mailboxId }: SyncedUser) =>
    world.database.db
      .selectFrom('warmups')
      .selectAll()
      .where('mailbox_id', '=', mailboxId)
      .executeTakeFirstOrThrow();

  /** Both as two workers would have them: they share nothing but the database. */
  async function bothAtWork(
    user: SyncedUser,
    work: () => Promise<unknown>,
    connections?: number,
  ): Promise<void> {
    const operationId = await enrolFirst(world.database.db, user);
    const { clusterId, userId, mailboxId } = user;
    const given = { userId, workflowId: `inbox/${randomUUID()}`, resourceId: clusterId };
    await addOperation(world.database.db, syncInboxFlow, given);
    const stop = new AbortController();
    const { signal } = stop;
    const reading = runSyncSession(world.context, clusterId, {
      signal,
      ...(connections !== undefined && { connections }),
    });
    const other = { ...world.context, mailTransport: world.newTransport() };
    const warmup = { context: other, mailboxId, operationId, claimedBy: randomUUID(), signal };
    const tending = async () => {
      while (!signal.aborted) {
        // As its shard does it: short sessions, each of which looks at what partners wrote.
        const limits = { sessionMs: 25_000, idleMs: 0, memory: {}, isNew: false };
        await runWarmupSession(warmup, limits);
        await sleep(200, undefined, { signal }).catch(() => undefined);
      }
    };
    const tended = tending();
    try {
      await work();
    } finally {
      stop.abort();
      await Promise.allSettled([reading, tended]);
    }
    await tended.catch((error: unknown) => {
      if (!signal.aborted || error !== signal.reason) throw error;
    });
  }

  const ways = [
    ['held connections', 1, undefined],
    ['visits', Infinity, 0],
  ] as const;

  it.each(ways)(
    'has one connection, by which its messages are handled: %s',
    async (_, opened, held) => {
      const user = await world.newMailboxes(2);
      const inInbox = await expectMessage(user, 'INBOX');
      const inSpam = await expectMessage(user, 'Spam');
      const before = world.dovecot.connections(user.email);
      expect(before).toEqual({ most: 1, all: 2 });
      await bothAtWork(
        user,
        async () => {
          await vi.waitFor(async () => {
            expect(await letter(inInbox)).toMatchObject({ seen_in: 'inbox' });
            const saved = await letter(inSpam);
            expect(saved).toMatchObject({ seen_in: 'spam' });
            expect(saved.saved_at).not.toBeNull();
          }, 20_000);
          // Once more, where the connection has been held or left for a while.
          await world.database.db
            .updateTable('warmup_letters')
            .set({ seen_at: null, seen_in: null })
            .where('id', '=', inInbox)
            .execute();
          await vi.waitFor(async () => {
            expect((await letter(inInbox)).seen_in).toBe('inbox');
          }, 20_000);
        },
        held,
      );
      const after = world.dovecot.connections(user.email);
      expect(after.most).toBe(1);
      // One that is held is opened once; visits open one each.
      expect(after.all - before.all).toBeLessThanOrEqual(opened);
      const client = await user.imap();
      const flags = await client.fetchFlags('INBOX');
      await client.close();
      expect(flags.map((each) => each.flags.toSorted())).toEqual([
        expect.arrayContaining(['\\Flagged', '\\Seen']),
        expect.arrayContaining(['\\Flagged', '\\Seen']),
      ]);
    },
  );

  it('goes into quarantine when the login is refused to its inbox', async () => {
    const user = await world.newMailboxes(2);
    await expectMessage(user, 'INBOX');
    const password = world.context.cipher.seal('wrong', passwordBinding(user.mailboxId));
    await world.database.db
      .updateTable('mailboxes')
      .set({ password })
      .where('id', '=', user.mailboxId)
      .execute();
    await bothAtWork(user, () =>
      vi.waitFor(async () => {
        const { status, status_reason: reason } = await warmupOf(user);
        expect([status, reason]).toEqual(['quarantined', 'login_refused']);
      }, 20_000),
    );
    expect(world.dovecot.connections(user.email).all).toBe(1);
  });
});
