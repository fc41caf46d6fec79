/** The sync against the sandbox's mail host, which has neither CONDSTORE nor a memory of ours. World. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  newMemory,
  visitMailbox,
  type WatchContext,
} from '../../activities/inbox/watch-mailbox.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { createDnsResolver } from '../../src/providers/dns/index.ts';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import { createRecipientLinks } from '../../src/encryption/recipient-links.ts';
import { addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import {
  installMailHost,
  PASSWORD,
  startMailWorld,
  type MailWorld,
} from '../support/mail/mail-world.ts';
import { fileOf, LARGE_FILES, largeMessage, readFiles } from '../support/inbox/large-message.ts';
import { trustAuthority } from '../support/run/trust.ts';

const DOMAIN = 'acme.com';
const EMAIL = `m1@${DOMAIN}`;

let database: TestDatabase;
let world: MailWorld;
beforeAll(async () => {
  [database, world] = await Promise.all([createTestDatabase(), startMailWorld({ pace: 20 })]);
  trustAuthority(world.sandbox().caFile);
  await installMailHost(world, DOMAIN, ['m1']);
});
afterAll(async () => {
  await world?.close();
  await database?.close();
});

/** What a worker has now: the sandbox's ports change when it is started again. */
function contextNow(): WatchContext {
  const { dns, socks } = world.sandbox();
  const resolver = createDnsResolver({ servers: [dns], timeoutMs: 5_000 });
  return {
    db: database.db,
    clock: { now: () => new Date() },
    cipher: createCipher(`test:${Buffer.alloc(32, 1).toString('base64')}`),
    mailTransport: createMailTransport({ dns: resolver, outboundProxy: socks, timeoutMs: 5_000 }),
    recipientLinks: createRecipientLinks({
      publicUrl: 'https://outreach.test',
      keys: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    }),
    config: { INBOX_POLL_SECONDS: 60, DAY_SECONDS: 86_400 } as WatchContext['config'],
    logger: pino({ level: 'silent' }),
  };
}

describe('a mailbox of the world', () => {
  it('is read, survives a restart of its host, and tells why it cannot be read', async () => {
    const { db } = database;
    const userId = await addSender(db);
    const [id] = await addMailboxes(contextNow(), userId, { count: 1, domain: DOMAIN });
    const seal = (password: string) => contextNow().cipher.seal(password, passwordBinding(id!));
    const setPassword = (password: string) =>
      db
        .updateTable('mailboxes')
        .set({ password: seal(password) })
        .where('id', '=', id!)
        .execute();
    const { cluster_id: clusterId } = await db
      .selectFrom('mailboxes')
      .select('cluster_id')
      .where('id', '=', id!)
      .executeTakeFirstOrThrow();
    const visit = async () => {
      const { mailboxes } = await readSyncSnapshot(db, clusterId!);
      const { signal } = new AbortController();
      const rest = { ownAddresses: new Set([EMAIL]), signal, memory: newMemory() };
      await visitMailbox(contextNow(), mailboxes[0]!, rest);
    };
    const subjects = async () =>
      (await db.selectFrom('messages').select('subject').orderBy('id').execute()).map(
        ({ subject }) => subject,
      );
    const state = () =>
      db.selectFrom('mailbox_syncs').selectAll().where('mailbox_id', '=', id!).executeTakeFirst();
    const deliver = (subject: string) =>
      world.control('POST', '/mail/deliver', {
        to: EMAIL,
        raw: rawMessage({ to: EMAIL, subject }),
      });

    await setPassword('wrong');
    await visit();
    expect(await state()).toMatchObject({
      synced_at: null,
      failing_since: expect.any(Date),
      reason: 'login_refused',
      is_told: true,
    });
    await setPassword(PASSWORD);
    await deliver('one');
    await visit();
    expect(await state()).toMatchObject({ failing_since: null, reason: null, is_told: false });
    await world.restart();
    await deliver('two');
    await visit();
    await visit();
    expect(await subjects()).toEqual(['one', 'two']);

    // Whoever finds nothing new writes nothing.
    const versions = async () =>
      (
        await sql<{ version: string }>`
        select path || ' ' || xmin as version from mailbox_folders where mailbox_id = ${id}
        union all select 'mailbox ' || xmin from mailbox_syncs where mailbox_id = ${id}
        order by 1`.execute(db)
      ).rows;
    const before = await versions();
    await visit();
    await visit();
    expect(await versions()).toEqual(before);

    // Read in one FETCH, of different lengths.
    const several = ['three', 'and four', 'and then five'];
    for (const subject of several) await deliver(subject);
    await visit();
    const whole = await db
      .selectFrom('messages')
      .select(['subject', 'body_text'])
      .where('subject', 'in', several)
      .orderBy('id')
      .execute();
    expect(whole.map(({ subject }) => subject)).toEqual(several);
    expect(whole.map(({ body_text }) => body_text.trim())).toEqual(several.map(() => 'Hi there'));

    const raw = await largeMessage(contextNow(), EMAIL);
    await world.control('POST', '/mail/deliver', { to: EMAIL, raw });
    await visit();
    const large = await db
      .selectFrom('messages')
      .select('id')
      .where('subject', '=', 'The files')
      .executeTakeFirst();

    const files = await readFiles(contextNow(), { userId: userId, messageId: large!.id });
    expect(
      files.map(({ filename, content }) => [filename, content.equals(fileOf(filename))]),
    ).toEqual(LARGE_FILES.map(({ filename }) => [filename, true]));
    // Told before they are read: to a few bytes.
    const off = files.map(({ sizeBytes, content }) => Math.abs(sizeBytes - content.length));
    expect(Math.max(...off)).toBeLessThan(8);
  });
});
