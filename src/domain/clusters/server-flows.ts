/** The flows of a server that is in use: it gets another login key, the program of this release, or a new system. */
import { defineFlow, pendingSteps, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';
import type { BackupChoice } from './server-rebuilds.ts';

export interface ServerWork extends FlowOrder {
  serverId: number;
}

/** The keys themselves are never here: the activities read them, sealed, from the row. */
export const rotateServerKeyFlow = defineFlow<ServerWork>()({
  kind: 'rotateServerKey',
  queue: WORKFLOW_QUEUE,
  resource: 'server',
  resourceId: ({ serverId }) => serverId,
  workflowId: ({ serverId, run }: { serverId: number; run: number }) =>
    `server-key/${serverId}/${run}`,
  steps: () => pendingSteps('server_key_allow', 'server_key_switch', 'server_key_remove'),
  outcome: 'ending',
  direction: 'back',
  priority: 'normal',
});

/** Brings the program of this release to a server, and puts the one of before back where that does not go well. */
export const upgradeServerFlow = defineFlow<ServerWork>()({
  kind: 'upgradeServer',
  queue: WORKFLOW_QUEUE,
  resource: 'server',
  resourceId: ({ serverId }) => serverId,
  workflowId: ({ serverId, run }: { serverId: number; run: number }) =>
    `server-upgrade/${serverId}/${run}`,
  steps: () => pendingSteps('program_put', 'program_install', 'host_verify'),
  outcome: 'ending',
  direction: 'back',
  priority: 'normal',
});

export interface ServerRebuild extends ServerWork {
  /** The server's, whose queue takes the request. */
  vendor: string;
  backup: BackupChoice;
}

/** Makes a server's host anew. Lost on the way it goes on: what it was may be gone already. */
export const rebuildServerFlow = defineFlow<ServerRebuild>()({
  kind: 'rebuildServer',
  queue: WORKFLOW_QUEUE,
  resource: 'server',
  resourceId: ({ serverId }) => serverId,
  workflowId: ({ serverId, run }: { serverId: number; run: number }) =>
    `server-rebuild/${serverId}/${run}`,
  steps: () =>
    pendingSteps(
      'rebuild_hold',
      'host_backup',
      'server_reinstall',
      'first_boot',
      'host_restore',
      'host_verify',
      'mta_sts_restore',
    ),
  outcome: 'ending',
  direction: 'forward',
  priority: 'high',
});

/** By what an operator asks for. */
export const SERVER_FLOWS = {
  'rotate-ssh-key': rotateServerKeyFlow,
  upgrade: upgradeServerFlow,
  rebuild: rebuildServerFlow,
} as const;

/** What can be done to hosts, one after the other. */
export type ServerJob = keyof typeof SERVER_FLOWS;
