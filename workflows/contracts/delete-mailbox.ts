/** Contract of `deleteMailbox`: one address leaves its cluster's mail host. */
import type { OperationInput } from './operator.ts';

export const deleteMailboxType = 'deleteMailbox';
export const deleteMailboxWorkflowId = (mailboxId: number) => `mailbox-delete/${mailboxId}`;

export interface DeleteMailboxInput extends OperationInput {
  mailboxId: number;
}
