/** Making and removing one mailbox on its cluster's host. */
import type { Context } from '../src/context.ts';
import { getMailbox, passwordBinding } from '../src/db/mailboxes.ts';
import { serverAccess } from './access.ts';
import { serverOf } from './servers.ts';

interface MailboxStep {
  operationId: number;
  mailboxId: number;
}

type MailboxesContext = Pick<Context, 'db' | 'cipher' | 'mailHost'>;

export const mailboxActivities = (context: MailboxesContext) => ({
  /** Safe to repeat: the host adds the mailbox or sets its password. */
  async createMailboxOnHost({ mailboxId }: MailboxStep): Promise<void> {
    const mailbox = await getMailbox(context.db, mailboxId);
    const server = await serverOf(context, mailbox.cluster_id);
    const password = context.cipher.open(mailbox.password!, passwordBinding(mailboxId));
    await context.mailHost.setMailbox(serverAccess(context, server), {
      email: mailbox.email,
      password,
    });
  },

  /** Undo. Safe to repeat. */
  async removeMailboxFromHost({ mailboxId }: MailboxStep): Promise<void> {
    const mailbox = await getMailbox(context.db, mailboxId);
    const server = await serverOf(context, mailbox.cluster_id);
    await context.mailHost.removeMailbox(serverAccess(context, server), mailbox.email);
  },
});
