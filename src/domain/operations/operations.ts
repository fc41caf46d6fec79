/** Terms of durable operations: their states, their steps, and the answers to a blocked one. */

export type OperationState =
  'pending' | 'running' | 'blocked' | 'compensating' | 'succeeded' | 'failed';

/** How far one step is; a step that does not apply is `skipped`. */
export type StepState =
  'pending' | 'running' | 'blocked' | 'completed' | 'skipped' | 'failed' | 'undone';

export interface StepProgress {
  name: string;
  state: StepState;
  /** What deviated from the usual course, in a few words for operators; clients read `clientSteps`. */
  note?: string;
}

/** Steps of provisioning a cluster, in order. Choice 13. */
export const PROVISION_STEPS = [
  'wallet_hold',
  'domain_purchase',
  'server_create',
  'dns_setup',
  'mail_server_install',
  'ptr_setup',
  'verify',
] as const;
export type ProvisionStep = (typeof PROVISION_STEPS)[number];

/** Those in which an alternate vendor is asked where the first one refuses. */
export const FAIL_OVER_STEPS = ['domain_purchase', 'server_create'] as const;
export type FailOverStep = (typeof FAIL_OVER_STEPS)[number];

/** Which parts of a cluster have to be paid for; the others exist already. */
export interface ClusterNeeds {
  domain: boolean;
  server: boolean;
}

/** A step that does not apply is `skipped` from the start. Choice 13. */
export function provisionStepApplies(step: ProvisionStep, needs: ClusterNeeds): boolean {
  if (step === 'wallet_hold') return needs.domain || needs.server;
  if (step === 'domain_purchase') return needs.domain;
  if (step === 'server_create' || step === 'ptr_setup') return needs.server;
  return true;
}

/** Steps of deleting a cluster, in order. Choice 13. */
export const DESTROY_STEPS = [
  'mailboxes_release',
  'inbox_last_look',
  'mail_server_remove',
  'dns_withdraw',
  'server_delete',
] as const;
export type DestroyStep = (typeof DESTROY_STEPS)[number];

/** A server that is deleted needs no cleanup; one with other clusters stays. */
export function destroyStepApplies(step: DestroyStep, plan: { deletesServer: boolean }): boolean {
  if (step === 'mail_server_remove') return !plan.deletesServer;
  if (step === 'server_delete') return plan.deletesServer;
  return true;
}

/** What a person may answer to a blocked step. docs/workflow-rules.md#blocked-steps. */
export const RESOLUTION_ACTIONS = ['retry', 'adopt', 'skip', 'compensate'] as const;
export type ResolutionAction = (typeof RESOLUTION_ACTIONS)[number];

/** Times that a workflow takes from the configuration of the process that started it. */
export interface Pace {
  /** Multiplies waits between attempts and polls: 1 in production. */
  retryPace: number;
  /** A vendor call without a heartbeat for this long belongs to a dead worker. */
  heartbeatSeconds: number;
  /** How long a step stays blocked before everything is undone. */
  blockedTimeoutSeconds: number;
}

/** What a client reads while a step runs. */
const STEP_MESSAGES: Record<string, string> = {
  wallet_hold: 'Checking the wallet',
  domain_purchase: 'Buying the domain',
  domain_renewal: 'Renewing the domain',
  server_create: 'Renting the server',
  dns_setup: 'Publishing DNS records and waiting until they are visible',
  mail_server_install: 'Installing the mail server',
  ptr_setup: 'Setting the reverse DNS name',
  verify: 'Publishing the MX record and proving that logins work',
  mailbox_create: 'Making the mailbox',
  mailbox_login: 'Logging in to the mailbox by SMTP and IMAP',
  mailbox_send: 'Sending a message from the mailbox to itself',
  mailbox_read: 'Waiting until that message can be read by IMAP',
  mailboxes_release: 'Taking the mailboxes out of campaigns and warm-ups',
  mailbox_release: 'Taking the mailbox out of campaigns and warm-up',
  inbox_last_look: 'Reading what has come, a last time',
  mail_server_remove: 'Removing the domain and its mailboxes from the mail host',
  mailbox_remove: 'Removing the mailbox from the mail host',
  consent_revoke: 'Taking the consent to use the mailbox back at its vendor',
  dns_withdraw: 'Withdrawing our DNS records',
  server_delete: 'Deleting the server',
  wallet_recharge: 'Charging the saved payment method',
  credentials_set: 'Changing the password at the mail host',
  server_key_allow: 'Letting a new key log in to the server, and proving it',
  server_key_switch: 'Using the new key',
  server_key_remove: 'Taking the old key off the server',
  program_put: 'Bringing the program of this release to the server',
  program_install: 'Setting up the server by its new program',
  host_verify: 'Looking whether the server is well afterwards',
  rebuild_hold: 'Sending nothing from the server meanwhile',
  host_backup: 'Saving what is on the server alone',
  server_reinstall: 'Asking for a new system on the server',
  first_boot: 'Waiting for the new system',
  host_restore: 'Giving the server its domains, mailboxes and mail again',
  mta_sts_restore: 'Serving the MTA-STS policies again',
};

/** The steps of all flows at which an operation can be blocked. */
export const STEPS: readonly string[] = Object.keys(STEP_MESSAGES);

/**
 * One line of progress for people: the step, and whether it is blocked or being undone. A blocked undo is
 * `compensating` as well (choice 13): `waits` distinguishes it.
 */
export function stepMessage(step: string, state: OperationState, waits = false): string {
  const words = STEP_MESSAGES[step] ?? step;
  if (state === 'blocked') return `${words}: waiting for an operator`;
  if (state === 'compensating') {
    return `${words}: undoing${waits ? ' waits for an operator' : ''}`;
  }
  return words;
}

/** The same while another vendor is asked than the one that refused; which ones is for operators. */
export const failOverMessage = (step: FailOverStep): string =>
  `${stepMessage(step, 'running')}: the first provider did not take the order, asking another one`;
