/** Contract of `createMailbox`: one address on a cluster's mail host. */
import type { OperationInput } from './operator.ts';

export const createMailboxType = 'createMailbox';
export const createMailboxWorkflowId = (mailboxId: number) => `mailbox/${mailboxId}`;

/** The password is never here: the activity reads it, sealed, from the row. */
export interface CreateMailboxInput extends OperationInput {
  mailboxId: number;
  email: string;
}
