/** Contract of `verifyEmails`: many addresses, batch by batch. */
import type { JobInput } from './job.ts';

export const verifyEmailsType = 'verifyEmails';
export const verifyEmailsWorkflowId = (jobId: number) => `email-validation/${jobId}`;

export interface VerifyEmailsInput extends JobInput {
  jobId: number;
}
