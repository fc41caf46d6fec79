/** Contract of `rotateCredentials`: a mailbox gets another way in, at its host and in our row. */
import type { OperationInput } from './operator.ts';

export const rotateCredentialsType = 'rotateCredentials';
/** `n` counts the rotations of a mailbox from 1. */
export const rotateCredentialsWorkflowId = (mailboxId: number, n: number) =>
  `mailbox-credentials/${mailboxId}/${n}`;

/** The secret is never here: the activity reads it, sealed, from the row. */
export interface RotateCredentialsInput extends OperationInput {
  mailboxId: number;
}
