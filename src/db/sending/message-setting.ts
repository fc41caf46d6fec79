/** For whom and from whom a message is rendered that is no message to a lead: a preview, or a test. */
import type { Kysely } from 'kysely';
import type { MessageRecipient, MessageSender } from '../../domain/sending/message-content.ts';
import { NOBODY } from '../../domain/sending/sequence-messages.ts';
import { findUser } from '../accounts/accounts.ts';
import { listSenders } from '../mailboxes/mailboxes.ts';
import type { Database } from '../tables.ts';
import { findFirstLeadId, findMessageRecipient } from './message-facts.ts';

/** The lead `asked`, else the campaign's first one, else a made-up person. Undefined: that lead is not there. */
export async function findRecipient(
  db: Kysely<Database>,
  campaign: { id: number; user_id: string },
  asked: number | undefined,
): Promise<{ leadId: number | null; recipient: MessageRecipient } | undefined> {
  const leadId = asked ?? (await findFirstLeadId(db, campaign.id));
  const recipient =
    leadId === undefined ? undefined : await findMessageRecipient(db, campaign.user_id, leadId);
  if (recipient !== undefined) return { leadId: leadId!, recipient };
  return asked === undefined ? { leadId: null, recipient: NOBODY } : undefined;
}

/** The mailbox's own name and signature, or the account's name. */
export async function readSender(
  db: Kysely<Database>,
  userId: string,
  { email, mailboxId }: { email: string; mailboxId: number | undefined },
): Promise<MessageSender> {
  const user = await findUser(db, userId);
  const senders = await listSenders(db, mailboxId === undefined ? [] : [mailboxId]);
  const own = senders.get(mailboxId ?? 0);
  const name = own?.name ?? user?.sender_name ?? '';
  const signature = own?.signature ?? null;
  return { name, email, postalAddress: user?.postal_address ?? '', signature };
}
