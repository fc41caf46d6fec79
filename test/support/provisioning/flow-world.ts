/** A world for the flows of the matrix: any activity may be struck, and vendors' calls may die with their worker. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { injectFaults, type Plan } from './fault-injector.ts';
import { createFlowRunner, type Meetings } from './flow-runner.ts';
import { createFlows, FLOW_ENVIRONMENT, type Flow } from './flow-subjects.ts';
import { startProvisioningWorld, type ProvisioningWorld } from './provisioning-world.ts';
import type { MatrixFlow } from './matrix-flows.ts';
import { withDeaths } from './vendor-deaths.ts';

export interface FlowWorld {
  world: ProvisioningWorld;
  flows: Record<MatrixFlow, Flow>;
  run: ReturnType<typeof createFlowRunner>;
  close(): Promise<void>;
}

/** Backups of hosts go to a folder of its own; `close()` removes it. */
export async function startFlowWorld(): Promise<FlowWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-backups-'));
  const plans = new Map<number, Plan>();
  const meetings: Meetings = new Map();
  const world = await startProvisioningWorld({
    environment: { ...FLOW_ENVIRONMENT, HOST_BACKUP_DIR: folder },
    wrap: (activities) => injectFaults(activities, plans),
    outside: withDeaths,
    beforeStart: (operation) => {
      meetings.get(operation.summary)?.(operation);
      meetings.delete(operation.summary);
    },
  });
  return {
    world,
    flows: await createFlows(world),
    run: createFlowRunner(world, meetings, plans),
    async close() {
      await world.close();
      rmSync(folder, { recursive: true });
    },
  };
}
