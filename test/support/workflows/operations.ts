/** The row of an operation, for tests that need no workflow. */
import type { Kysely } from 'kysely';
import {
  getOperation,
  insertOperationEvent,
  type Operation,
} from '../../../src/db/operations/operations.ts';
import type { Database } from '../../../src/db/tables.ts';
import { provisionClusterFlow } from '../../../src/domain/clusters/flows.ts';
import type { Flow, ResourceType } from '../../../src/domain/operations/flows.ts';
import type { StepProgress } from '../../../src/domain/operations/operations.ts';

interface Given {
  userId: string;
  workflowId: string;
  resourceId: number;
  /** Default: the flow's. */
  resourceType?: ResourceType;
  /** Default `none`, which no worker polls. */
  taskQueue?: string;
  summary?: string;
  input?: object;
  steps?: StepProgress[];
}

/** As `insertOperation` writes it, but for the id, queue and input that the test says. */
export async function addOperation(
  db: Kysely<Database>,
  flow: Flow,
  given: Given,
): Promise<Operation> {
  const { id } = await db
    .insertInto('operations')
    .values({
      user_id: given.userId,
      kind: flow.kind,
      workflow_id: given.workflowId,
      task_queue: given.taskQueue ?? 'none',
      summary: given.summary ?? '',
      input: JSON.stringify(given.input ?? {}),
      resource_type: given.resourceType ?? flow.resource,
      resource_id: given.resourceId,
      hold_id: null,
      steps: JSON.stringify(given.steps ?? []),
      step: null,
      request_key: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const words = { actor: `user:${given.userId}`, reason: 'created' };
  await insertOperationEvent(db, { operationId: id, kind: 'requested', step: null, ...words });
  return getOperation(db, id);
}

/** That of a first cluster, asked for by its user. */
export const addProvisioning = (
  db: Kysely<Database>,
  userId: string,
  given: Partial<Given> = {},
): Promise<Operation> =>
  addOperation(db, provisionClusterFlow, {
    userId,
    workflowId: 'cluster/1/1',
    summary: 'Provision acme.com',
    resourceId: 1,
    ...given,
  });
