/** What of a FETCH is taken for the text of a message. Provider: mail-transport. */
import type { ImapFlow } from 'imapflow';
import { expect, it } from 'vitest';
import { newMessages } from '../../src/providers/mail-transport/imap-fetch.ts';

const MAX_BYTES = 1_000;

/** UIDs whose text did not come, of messages with this size and so many bytes of text. */
async function textless(answers: readonly { size: number; source: Buffer | false | undefined }[]) {
  const client = {
    search: async () => [],
    stats: () => ({ sent: 0, received: 0 }),
    fetch: async function* () {
      for (const [at, answer] of answers.entries()) yield { uid: at + 1, ...answer };
    },
  };
  const range = { afterUid: 0, maxBytes: MAX_BYTES, batch: 2 };
  const found: { uid: number; isTextless?: boolean }[] = [];
  for await (const messages of newMessages(client as unknown as ImapFlow, range)) {
    found.push(...messages);
  }
  const uids = found.map(({ uid }) => uid);
  return { uids, textless: found.flatMap((each) => (each.isTextless ? [each.uid] : [])) };
}

const bytes = (length: number) => Buffer.alloc(length, 'x');

it('a message without a text, or with clearly less of it than there is, is textless', async () => {
  const none = { size: 343, source: bytes(0) };
  const nil = { size: 343, source: false } as const;
  const torn = { size: 343, source: bytes(100) };
  const tornLarge = { size: 90_000, source: bytes(300) };
  const whole = { size: 343, source: bytes(343) };
  const found = await textless([none, whole, nil, torn, tornLarge]);
  expect(found).toEqual({ uids: [1, 2, 3, 4, 5], textless: [1, 3, 4, 5] });
});

it('a size that is a little off, a message that is cut and one of no bytes are none', async () => {
  const lineEnds = { size: 343, source: bytes(330) };
  const longer = { size: 343, source: bytes(360) };
  const cut = { size: 90_000, source: bytes(MAX_BYTES) };
  const empty = { size: 0, source: bytes(0) };
  expect((await textless([lineEnds, longer, cut, empty])).textless).toEqual([]);
});

it('what is told of flags in between is no message', async () => {
  const flags = { size: 343, source: undefined };
  expect((await textless([flags, { size: 343, source: bytes(343) }])).uids).toEqual([2]);
});

it('a connection that ended before the messages were asked for is no end of the folder', async () => {
  const client = {
    mailbox: {} as object | false,
    // As imapflow answers then.
    search: async () => (client.mailbox = false),
    stats: () => ({ sent: 0, received: 0 }),
    fetch: async function* () {},
  };
  const range = { afterUid: 0, maxBytes: MAX_BYTES, batch: 2 };
  const reading = newMessages(client as unknown as ImapFlow, range);
  await expect(reading.next()).rejects.toMatchObject({ code: 'NoConnection' });
});
