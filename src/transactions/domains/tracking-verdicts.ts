/** What a look at a tracking domain has shown: its row, its event, and who loses the name by it. Choice 131. */
import type { Kysely, Transaction } from 'kysely';
import {
  listRivals,
  noteVerdict,
  type TrackingDomain,
  type Verdict,
} from '../../db/domains/tracking-domains.ts';
import type { Database } from '../../db/tables.ts';
import { insertEvents } from '../../db/webhooks/events.ts';

/** Writes the verdict and tells of a change. Who proves a name has it alone. */
export async function concludeTrackingDomain(
  db: Kysely<Database>,
  row: TrackingDomain,
  verdict: Verdict,
): Promise<void> {
  const { id, name } = row;
  await db.transaction().execute(async (trx) => {
    const before = await noteVerdict(trx, id, verdict);
    if (before === undefined) return;
    if (before !== verdict.status) await tell(trx, row, verdict);
    if (!verdict.isProven) return;
    for (const rival of await listRivals(trx, { id, name })) {
      const message = `The record of ${name} was set for another account`;
      const lost: Verdict = {
        status: 'failing',
        trouble: { code: 'CNAME_WRONG', message },
        at: verdict.at,
        isProven: false,
      };
      await noteVerdict(trx, rival.id, lost);
      await tell(trx, rival, lost);
    }
  });
}

async function tell(
  trx: Transaction<Database>,
  { id, user_id: userId, name }: TrackingDomain,
  { status, trouble, at }: Verdict,
): Promise<void> {
  const resource = `tracking_domain/${id}`;
  const facts = { trackingDomainId: id, name, at: at.toISOString() };
  if (status === 'active') {
    await insertEvents(trx, [{ userId, type: 'tracking_domain.active', resource, payload: facts }]);
  }
  if (status === 'failing') {
    const payload = { ...facts, errorCode: trouble?.code ?? 'WORK_FAILED' };
    await insertEvents(trx, [{ userId, type: 'tracking_domain.failing', resource, payload }]);
  }
}
