/** Contract of `sendReply`: one message that a person wrote, sent once and put into the Sent folder. */
import type { JobInput } from './job.ts';

export const sendReplyType = 'sendReply';
export const sendReplyWorkflowId = (outgoingId: number) => `outgoing-letter/${outgoingId}`;

export interface SendReplyInput extends JobInput {
  outgoingId: number;
}
