/** A mailbox changed on its host: many at once, one attempt at a time, and nothing after an undo. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientKeyBinding } from '../../activities/engine/access.ts';
import { mailHostActivities } from '../../activities/clusters/mail-hosts.ts';
import { mailboxActivities } from '../../activities/mailboxes/mailboxes.ts';
import { openDatabase } from '../../src/db/database.ts';
import { getMailbox, passwordBinding, updateMailbox } from '../../src/db/mailboxes/mailboxes.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { createMailboxFlow } from '../../src/domain/mailboxes/flows.ts';
import type { OperationState } from '../../src/domain/operations/operations.ts';
import type { MailHost } from '../../src/providers/mail-hosts/port.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addOperation } from '../support/workflows/operations.ts';

let database: TestDatabase;
let api: TestApi;
let userId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database, routes: () => [] });
  userId = await addSender(database.db);
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

/** Active mailboxes on a server whose keys can be opened. */
async function mailboxes(count: number): Promise<number[]> {
  const { db, cipher } = api.context;
  const ids = await addMailboxes(api.context, userId, { count });
  const servers = await db.selectFrom('servers').select(['id', 'intent_name']).execute();
  for (const { id, intent_name } of servers) {
    const key = cipher.seal('key', clientKeyBinding(intent_name));
    await db.updateTable('servers').set({ client_private_key: key }).where('id', '=', id).execute();
  }
  return ids;
}

/** An operation on a mailbox that is where `state` says. */
async function operationOn(mailboxId: number, state: OperationState): Promise<number> {
  const workflowId = createMailboxFlow.workflowId({ mailboxId });
  const order = { userId, workflowId, resourceId: mailboxId };
  return database.db.transaction().execute(async (trx) => {
    const { id } = await addOperation(trx, createMailboxFlow, order);
    await trx.updateTable('operations').set({ state }).where('id', '=', id).execute();
    return id;
  });
}

/** The activities over a host that does this when a mailbox is set there. */
const over = (setMailbox: MailHost['setMailbox'], db = database.db) =>
  mailboxActivities({ ...api.context, db, mailHost: { ...api.context.mailHost, setMailbox } });

describe('mailboxes on hosts', () => {
  it('are many more at once than there are connections', async () => {
    const ids = await mailboxes(12);
    const db = openDatabase(database.url, { poolSize: 2 });
    let inside = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => (open = resolve));
    const activities = over(async () => {
      if ((inside += 1) === ids.length) open();
      await all;
    }, db);
    await Promise.all(
      ids.map((mailboxId) => activities.createMailboxOnHost({ operationId: 0, mailboxId })),
    );
    await db.destroy();
    expect(inside).toBe(ids.length);
    expect((await sql`select from leases`.execute(database.db)).rows).toEqual([]);
  });

  it('keep the password that an undo gave them back when the change wakes up after it', async () => {
    const [mailboxId] = (await mailboxes(1)) as [number];
    const { cipher } = api.context;
    const { password } = await getMailbox(database.db, mailboxId);
    const next_password = cipher.seal('new', passwordBinding(mailboxId));
    await updateMailbox(database.db, mailboxId, { next_password });
    const step = { operationId: 0, mailboxId };
    const onHost: string[] = [];
    const note: MailHost['setMailbox'] = async (_, login) => void onHost.push(login.password);
    const late = over(async (server, login) => {
      await note(server, login);
      // As if this process had been stopped for longer than its turn.
      await sql`update leases set expires_at = now()`.execute(database.db);
      await over(note).restoreMailboxSecret(step);
    });
    await late.changeMailboxSecret(step);
    expect(onHost).toEqual(['new', 'pass']);
    const after = await getMailbox(database.db, mailboxId);
    expect([after.password, after.next_password]).toEqual([password, null]);
  });

  it.each(['compensating', 'failed'] as const)(
    'are not made again by work that wakes up when its operation is %s',
    async (state) => {
      const [mailboxId] = (await mailboxes(1)) as [number];
      const operationId = await operationOn(mailboxId, state);
      const { cluster_id: clusterId } = await getMailbox(database.db, mailboxId);
      const calls: string[] = [];
      const mailHost = {
        ...api.context.mailHost,
        setMailbox: async () => void calls.push('setMailbox'),
        addDomain: async () => void calls.push('addDomain'),
      };
      const context = { ...api.context, mailHost };
      const step = { operationId, mailboxId, clusterId: clusterId! };
      const late = [
        mailboxActivities(context).createMailboxOnHost(step),
        mailHostActivities(context).addMailDomain(step),
      ];
      const refused = { status: 'rejected', reason: { code: 'INVALID_STATE' } };
      expect(await Promise.allSettled(late)).toMatchObject([refused, refused]);
      expect(calls).toEqual([]);
    },
  );

  it.each([
    ['gone at its vendor', 'resolves', null],
    ['there still', 'rejects', { id: '7', name: 'x', state: 'off', ipv4: null }],
  ] as const)('are off a host that does not answer where it is %s', async (_, outcome, rented) => {
    const [mailboxId] = (await mailboxes(1)) as [number];
    await sql`update servers set external_id = '7'`.execute(database.db);
    const removeMailbox = async () => {
      throw new ProviderError('unavailable', 'no answer', { provider: 'mail-host' });
    };
    const hetzner = { ...api.context.vps['hetzner']!, get: async () => rented };
    const activities = mailboxActivities({
      ...api.context,
      mailHost: { ...api.context.mailHost, removeMailbox },
      vps: { hetzner },
    });
    const removal = activities.removeMailboxFromHost({ operationId: 0, mailboxId }).then(
      () => 'resolves',
      () => 'rejects',
    );
    expect(await removal).toBe(outcome);
  });
});
