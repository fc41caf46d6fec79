/** Contract of the flow that does one thing to all mail hosts: a canary first, then the others in groups. */
import type { BackupChoice } from '../../src/domain/clusters/server-rebuilds.ts';
import type { ServerJob } from '../../src/domain/clusters/server-flows.ts';

export const tendHostsType = 'tendHosts';

/** One run of each job at a time, whichever hosts it covers; of a rebuild one for each host. */
export const tendHostsId = ({ job, serverId }: Pick<TendHostsInput, 'job' | 'serverId'>): string =>
  job === 'rebuild' ? `tend-hosts/${job}/${serverId}` : `tend-hosts/${job}`;

export interface TendHostsInput {
  job: ServerJob;
  /** Only this server; absent: all that need it. */
  serverId?: number;
  /** This one is done first; absent: the one with the lowest id. */
  canaryId?: number;
  /** How many at a time after the canary; absent: what suits the job. */
  batch?: number;
  /** For a rebuild: which backup is restored. */
  backup?: BackupChoice;
  /** For a rebuild: also of a host that has just been rebuilt. */
  again?: boolean;
  /** Who asked and why, for the logs of the operations. */
  actor: string;
  reason: string;
  /** Where a run that continues as new goes on. */
  afterServerId?: number;
}

/** `stoppedAt`: the operation that did not succeed; no other host was begun after it. */
export interface TendHostsResult {
  stoppedAt: number | null;
}
