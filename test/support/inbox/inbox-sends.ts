/** A mailbox that has written to a lead, and the messages that come into it. */
import { sql, type Kysely } from 'kysely';
import { lookAhead } from '../../../activities/inbox/look-ahead.ts';
import { readMessage, type ReadMessage } from '../../../activities/inbox/read-message.ts';
import { storeMessages } from '../../../activities/inbox/store-messages.ts';
import { createCipher } from '../../../src/encryption/cipher.ts';
import { openFolderRow } from '../../../src/db/inbox/mailbox-folders.ts';
import type { Database } from '../../../src/db/tables.ts';
import type { FolderRole } from '../../../src/domain/inbox/inbox.ts';
import { createRecipientLinks } from '../../../src/encryption/recipient-links.ts';
import { addCampaign, addMailboxes, addSender } from '../campaigns/campaign-world.ts';
import { rawMessage } from './inbox-message-text.ts';

const cipher = createCipher(`test:${Buffer.alloc(32, 1).toString('base64')}`);
const recipientLinks = createRecipientLinks({
  publicUrl: 'https://outreach.test',
  keys: `test:${Buffer.alloc(32, 1).toString('base64')}`,
});
const UID_VALIDITY = 77;
const MINUTE_MS = 60_000;

/** A lead to whom a mailbox has sent the first message of a campaign an hour ago. */
export async function newSend(db: Kysely<Database>) {
  const userId = await addSender(db);
  const [mailboxId] = (await addMailboxes({ db, cipher }, userId, { count: 1 })) as [number];
  const { campaignId, leadIds } = await addCampaign(db, userId, {
    leads: 1,
    mailboxIds: [mailboxId],
    followups: 2,
  });
  const leadId = leadIds[0]!;
  const messageId = `<c${campaignId}.l${leadId}.s0@d.test>`;
  const { rows } = await sql<{ id: number; email: string; lead: string }>`
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain,
      email_key, message_id, subject, state, claimed_by, claimed_at, sent_at)
    values (${userId}, ${campaignId}, ${leadId}, 0, ${mailboxId}, 'client-0.test',
      (select email_key from leads where id = ${leadId}), ${messageId},
      'A question', 'sent', gen_random_uuid(), now() - interval '1 hour', now() - interval '1 hour')
    returning id, (select email from mailboxes where id = ${mailboxId}) as email,
      (select email from leads where id = ${leadId}) as lead`.execute(db);
  const [{ id: sendId, email, lead }] = rows as [{ id: number; email: string; lead: string }];
  const receive = receiver(db, { userId, mailboxId, email });
  /** The envelope sender of a message, as the product makes it. */
  const verp = (id: number) => email.replace('@', `+b${id}-${recipientLinks.messageTag(id)}@`);
  /** Headers of the message, as hosts return them. */
  const original = `From: <${email}>\nTo: <${lead}>\nMessage-ID: ${messageId}`;
  const unsubscribeToken = recipientLinks.unsubscribeToken(sendId, 'de');
  const clientLink = recipientLinks.at('https://links.acme.test').unsubscribeUrl(sendId, 'de');
  const send = () =>
    db.selectFrom('sends').selectAll().where('id', '=', sendId).executeTakeFirstOrThrow();
  const messages = () =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('mailbox_id', '=', mailboxId)
      .orderBy('id')
      .execute();
  return {
    userId,
    mailboxId,
    campaignId,
    leadId,
    sendId,
    messageId,
    original,
    email,
    lead,
    receive,
    verp,
    unsubscribeToken,
    /** Where its campaign has a tracking domain. */
    clientLink,
    send,
    messages,
  };
}

/** Stores messages as they come into the folders of a mailbox, one call after the other. */
export function receiver(
  db: Kysely<Database>,
  { userId, mailboxId, email }: { userId: string; mailboxId: number; email: string },
) {
  const cursors = new Map<string, number>();
  return async (
    texts: string[],
    role: FolderRole = 'inbox',
    options: {
      minutesAgo?: number;
      daySeconds?: number;
      /** `INTEREST_MODEL`; none is asked by default. */
      interestModel?: string;
      change?: (rawMessage: ReadMessage) => ReadMessage;
      /** Of the reading of the mailbox. */
      signal?: AbortSignal;
    } = {},
  ) => {
    const path = role === 'inbox' ? 'INBOX' : role;
    const key = { mailboxId, path };
    await db
      .transaction()
      .execute((trx) => openFolderRow(trx, key, { role, uidValidity: UID_VALIDITY }));
    const fromUid = cursors.get(path) ?? 0;
    const internalDate = new Date(Date.now() - (options.minutesAgo ?? 10) * MINUTE_MS);
    const read = await Promise.all(
      texts.map((text, at) => {
        const source = Buffer.from(text);
        const fetched = { uid: fromUid + at + 1, flags: [], internalDate };
        const whole = { sizeBytes: source.length, source, isWhole: true };
        return readMessage({ ...fetched, ...whole }, new Set([email]));
      }),
    );
    const messages = read.map(options.change ?? ((each) => each));
    const toUid = fromUid + texts.length;
    const folder = { ...key, userId, role, uidValidity: UID_VALIDITY };
    const { daySeconds = 86_400, interestModel } = options;
    const config = { ...REJECTIONS, DAY_SECONDS: daySeconds, INTEREST_MODEL: interestModel };
    const context = { db, recipientLinks, config, signal: options.signal };
    const ahead = await lookAhead(context, folder, messages);
    const stored = await storeMessages(context, folder, { messages, fromUid, toUid, ahead });
    // What was not stored is read again.
    cursors.set(path, toUid);
    return stored;
  };
}

/** Defaults of the configuration. */
export const REJECTIONS = {
  SEND_REJECTION_PAUSE_RATE: 0.05,
  SEND_REJECTION_PAUSE_HOURS: 24,
  SEND_REJECTION_MIN_SENDS: 20,
  SEND_REJECTION_MIN: 3,
  SEND_HEALTH_DAYS: 7,
};

/** A delivery report of a host; `about` are headers of the message that it is about. */
export const report = (to: string, about: string, fields: readonly string[] = ['Status: 5.1.1']) =>
  rawMessage({
    from: 'MAILER-DAEMON@mx.test',
    to,
    subject: 'Undelivered',
    headers: { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b' },
    text: [
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.test',
      '',
      'Final-Recipient: rfc822; nobody@elsewhere.test',
      'Action: failed',
      ...fields,
      '',
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      about,
      '--b--',
    ].join('\n'),
  });
