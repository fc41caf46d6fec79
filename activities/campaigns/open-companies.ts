/** Ends what is left of companies of which somebody has answered. Choice 115. */
import type { Context } from '../../src/context.ts';
import { endMoreOfCompany, listOpenCompanies } from '../../src/db/campaigns/company-replies.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';

/** A transaction for each thousand of them. Safe to repeat; nobody of them is written to meanwhile. */
export async function endOpenCompanies({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<void> {
  for (const company of await listOpenCompanies(db)) {
    const endMore = () =>
      despiteDeadlocks(() =>
        db.transaction().execute((trx) => endMoreOfCompany(trx, company, clock.now())),
      );
    while (!(await endMore()));
  }
}
