/** Contract of the flow that brings mail hosts which run to the smarthost of the workers' settings. */
export const setSmarthostType = 'setSmarthost';
/** One at a time, whichever hosts it is about. */
export const SET_SMARTHOST_ID = 'set-smarthost/by-hand';

export interface SetSmarthostInput {
  /** Only the host of this cluster; all hosts without it. */
  clusterId?: number;
  /** Who asked and why, for the logs of the clusters. */
  actor: string;
  reason: string;
}
