/** Many addresses, batch by batch. */
import type { VerifyEmailsInput } from './contracts/verify-emails.ts';
import { runJob } from './job.ts';

export async function verifyEmails(input: VerifyEmailsInput): Promise<void> {
  await runJob(input, async () => {});
}
