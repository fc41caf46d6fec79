/** The flows of a mailbox: it is created or connected, gets new credentials, and is deleted. */
import { defineFlow, pendingSteps, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

/** The password is never here: the activity reads it, sealed, from the row. */
export interface MailboxCreation extends FlowOrder {
  mailboxId: number;
  email: string;
}

/** One address on a cluster's mail host. */
export const createMailboxFlow = defineFlow<MailboxCreation>()({
  kind: 'createMailbox',
  queue: WORKFLOW_QUEUE,
  resource: 'mailbox',
  resourceId: ({ mailboxId }) => mailboxId,
  workflowId: ({ mailboxId }: { mailboxId: number }) => `mailbox/${mailboxId}`,
  steps: () => pendingSteps('mailbox_create'),
  outcome: 'ending',
  direction: 'back',
  priority: 'high',
});

/** The login is never here: the activities read it, sealed, from the row. */
export interface MailboxConnection extends FlowOrder {
  mailboxId: number;
  email: string;
}

/** Proves that a mailbox elsewhere sends and can be read, before it is used; `run` counts its proofs from 1. */
export const connectMailboxFlow = defineFlow<MailboxConnection>()({
  kind: 'connectMailbox',
  queue: WORKFLOW_QUEUE,
  resource: 'mailbox',
  resourceId: ({ mailboxId }) => mailboxId,
  workflowId: ({ mailboxId, run }: { mailboxId: number; run: number }) =>
    `mailbox-connection/${mailboxId}/${run}`,
  steps: () => pendingSteps('mailbox_login', 'mailbox_send', 'mailbox_read'),
  outcome: 'ending',
  direction: 'back',
  priority: 'high',
});

export interface MailboxFileImport extends FlowOrder {
  importId: number;
}

/** A file of mailboxes elsewhere: each is proven like one that is connected alone. Choice 120. */
export const importMailboxesFlow = defineFlow<MailboxFileImport>()({
  kind: 'importMailboxes',
  queue: WORKFLOW_QUEUE,
  resource: 'mailbox_import',
  resourceId: ({ importId }) => importId,
  workflowId: ({ importId }: { importId: number }) => `mailbox-import/${importId}`,
  outcome: 'job',
  direction: 'back',
  priority: 'normal',
});

export interface MailboxDeletion extends FlowOrder {
  mailboxId: number;
  /** Its owner has consented at a vendor, where that is taken back. */
  hasConsent?: boolean;
}

/** One address leaves its cluster's mail host, or its consents their vendor. */
export const deleteMailboxFlow = defineFlow<MailboxDeletion>()({
  kind: 'deleteMailbox',
  queue: WORKFLOW_QUEUE,
  resource: 'mailbox',
  resourceId: ({ mailboxId }) => mailboxId,
  workflowId: ({ mailboxId }: { mailboxId: number }) => `mailbox-delete/${mailboxId}`,
  steps: ({ hasConsent }) =>
    pendingSteps(
      'mailbox_release',
      'inbox_last_look',
      'mailbox_remove',
      ...(hasConsent === true ? ['consent_revoke'] : []),
    ),
  outcome: 'ending',
  direction: 'forward',
  priority: 'normal',
});

/** The secret is never here: the activity reads it, sealed, from the row. */
export interface CredentialRotation extends FlowOrder {
  mailboxId: number;
}

/** Rotates a mailbox's credentials, at its host and in our row; `run` counts its rotations from 1. */
export const rotateCredentialsFlow = defineFlow<CredentialRotation>()({
  kind: 'rotateCredentials',
  queue: WORKFLOW_QUEUE,
  resource: 'mailbox',
  resourceId: ({ mailboxId }) => mailboxId,
  workflowId: ({ mailboxId, run }: { mailboxId: number; run: number }) =>
    `mailbox-credentials/${mailboxId}/${run}`,
  steps: () => pendingSteps('credentials_set'),
  outcome: 'ending',
  direction: 'back',
  priority: 'high',
});
