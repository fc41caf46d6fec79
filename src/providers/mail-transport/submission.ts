/** SMTP submission of single messages, and login checks: each on its own connection. */
import { compose } from './mime.ts';
import type { MailboxAccess, OutgoingMessage } from './port.ts';
import { openSubmission } from './submission-session.ts';
import type { CallTools } from './tls-sessions.ts';

export async function checkSubmission(tools: CallTools, mailbox: MailboxAccess): Promise<void> {
  (await openSubmission(tools, mailbox)).close();
}

/** `outcome_unknown` when the message was being sent and no reply came: it may be delivered. */
export async function submit(
  tools: CallTools,
  mailbox: MailboxAccess,
  message: OutgoingMessage,
): Promise<{ reply: string }> {
  const raw = await compose({ from: { address: mailbox.email }, ...message });
  const session = await openSubmission(tools, mailbox);
  try {
    return await session.send({ from: mailbox.email, to: message.to, raw }, async () => undefined);
  } finally {
    session.close();
  }
}
