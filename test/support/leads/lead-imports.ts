/** Runs an import of leads as its workflow does, without a server. */
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import { leadImportActivities } from '../../../activities/leads/lead-imports.ts';
import { asFailure } from '../../../activities/engine/failures.ts';
import { operationActivities } from '../../../activities/operations/operations.ts';
import { findLatestOperation } from '../../../src/db/operations/operations.ts';
import type { TestDatabase } from '../database/database.ts';

/** Imports part after part and ends the operation. */
export async function runLeadImport({ db }: Pick<TestDatabase, 'db'>, importId: number) {
  const importing = leadImportActivities({ db });
  const operations = operationActivities({
    db,
    config: { ACCOUNT_RUNNING_JOBS: 10 },
    logger: pino({ level: 'silent' }),
    startOperation: async () => true,
  });
  const { id: operationId } = (await findLatestOperation(db, 'lead_import', importId))!;
  try {
    for (;;) {
      const { state, isDone } = await importing.importLeadParts({ importId, operationId });
      if (state === 'over') return;
      if (isDone) break;
    }
    await operations.finishOperation({ operationId, outcome: 'succeeded', steps: [] });
  } catch (thrown) {
    const failure = asFailure(thrown);
    if (!(failure instanceof ApplicationFailure)) throw thrown;
    const code = String((failure.details?.[0] as { clientCode?: string })?.clientCode);
    const error = { code, message: failure.message };
    await operations.finishOperation({ operationId, outcome: 'failed', steps: [], error });
  }
}
