/** Contract of the flow that applies the smarthost of the workers' settings to running mail hosts. */
export const setSmarthostType = 'setSmarthost';
/** One run at a time, whichever hosts it covers. */
export const SET_SMARTHOST_ID = 'set-smarthost/by-hand';

export interface SetSmarthostInput {
  /** Only this cluster's host; absent: all hosts. */
  clusterId?: number;
  /** Who asked and why, for the logs of the clusters. */
  actor: string;
  reason: string;
}
