/** The row of an operation, for tests that need one and no workflow. */
import type { Kysely } from 'kysely';
import { insertOperation, type Operation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';

type Given = Partial<Parameters<typeof insertOperation>[1]>;

/** That of a first cluster, asked for by its user; nobody polls its queue. */
export const addProvisioning = (
  db: Kysely<Database>,
  userId: string,
  given: Given = {},
): Promise<Operation> =>
  db.transaction().execute((trx) =>
    insertOperation(trx, {
      userId,
      kind: 'provisionCluster',
      workflowId: 'cluster/1/1',
      taskQueue: 'none',
      summary: 'Provision acme.com',
      input: {},
      resourceType: 'cluster',
      resourceId: 1,
      steps: [],
      requested: { actor: `user:${userId}`, reason: 'created' },
      ...given,
    }),
  );
