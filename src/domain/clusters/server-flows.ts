/** The flows of a server that is in use: it gets another login key, or the program of this release. */
import { defineFlow, pendingSteps, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

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
});

/** By what an operator asks for. */
export const SERVER_FLOWS = {
  'rotate-ssh-key': rotateServerKeyFlow,
  upgrade: upgradeServerFlow,
} as const;

/** What can be done to hosts, one after the other. */
export type ServerJob = keyof typeof SERVER_FLOWS;
