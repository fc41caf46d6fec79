/** SMTP submission of single letters, and login checks: each on a connection of its own. */
import { compose } from './mime.ts';
import type { TransportTools } from './index.ts';
import type { MailboxAccess, OutgoingLetter } from './port.ts';
import { openSubmission } from './submission-session.ts';

export async function checkSubmission(
  tools: TransportTools,
  mailbox: MailboxAccess,
): Promise<void> {
  (await openSubmission(tools, mailbox)).close();
}

/** `outcome_unknown` when the letter was on its way and no reply came: it may be delivered. */
export async function submit(
  tools: TransportTools,
  mailbox: MailboxAccess,
  letter: OutgoingLetter,
): Promise<{ reply: string }> {
  const raw = await compose({ from: { address: mailbox.email }, ...letter });
  const session = await openSubmission(tools, mailbox);
  try {
    return await session.send({ from: mailbox.email, to: letter.to, raw }, async () => undefined);
  } finally {
    session.close();
  }
}
