/** Which queues a worker serves: a role of which no worker tells is one whose jobs wait. */
import { Gauge, type Registry } from 'prom-client';
import type { Mode } from '../domain/accounts/modes.ts';
import type { WorkerRole } from '../domain/operations/queues.ts';

export interface ServedRoles {
  /** Workers of test mode serve a namespace of their own. */
  mode: Mode;
  roles: readonly WorkerRole[];
}

/** The series are there while the workers run, so that `absent()` sees a process that does not get ready. */
export function addWorkerRoles(
  registry: Registry,
  { mode, roles }: ServedRoles,
  isReady: () => boolean,
): void {
  new Gauge({
    name: 'outreach_worker_role',
    help: 'Roles whose queues this worker serves: 1; no series while it does not run',
    labelNames: ['role', 'mode'],
    registers: [registry],
    collect() {
      this.reset();
      if (isReady()) for (const role of roles) this.labels(role, mode).set(1);
    },
  });
}
