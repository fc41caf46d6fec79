/** A message that is too large to be read whole, with files before and after the cut. */
import type { Kysely } from 'kysely';
import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/tables.ts';
import { openAttachment } from '../../../src/services/inbox/inbox-attachments.ts';

export const LARGE_FILES = [
  {
    filename: 'scan.bin',
    contentType: 'application/octet-stream',
    content: Buffer.alloc(900_001, 7),
  },
  {
    filename: 'Angebot für Sie.pdf',
    contentType: 'application/pdf',
    content: Buffer.from('%PDF-1'),
  },
  { filename: 'notes.txt', contentType: 'text/plain', content: Buffer.alloc(200_000, 'note\n') },
];

/** Its content. */
export const fileOf = (name: string): Buffer =>
  LARGE_FILES.find(({ filename }) => filename === name)?.content ?? Buffer.alloc(0);

/** As it comes over the wire; 1.5 MB. */
export const largeMessage = async (
  { mailTransport }: Pick<Context, 'mailTransport'>,
  to: string,
): Promise<string> => {
  const raw = await mailTransport.compose({
    from: { address: 'ada@client.test' },
    to,
    subject: 'The files',
    text: 'Here they are',
    messageId: '<files@client.test>',
    files: LARGE_FILES,
  });
  return raw.toString('latin1');
};

/** What users see of its files, and what they download. */
export async function readFiles(
  context: Pick<Context, 'db' | 'cipher' | 'mailTransport'>,
  { userId, messageId }: { userId: string; messageId: number },
) {
  const files = await listFiles(context.db, messageId);
  const read: { filename: string; sizeBytes: number; content: Buffer }[] = [];
  for (const { id, filename, size_bytes: sizeBytes } of files) {
    const ids = { messageId, attachmentId: id };
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await openAttachment(context, userId, ids)).read()) {
      chunks.push(chunk);
    }
    read.push({ filename, sizeBytes, content: Buffer.concat(chunks) });
  }
  return read;
}

const listFiles = (db: Kysely<Database>, messageId: number) =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('message_id', '=', messageId)
    .orderBy('id')
    .execute();
