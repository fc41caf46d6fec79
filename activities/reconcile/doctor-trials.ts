/** Servers of `outreach doctor --order` that were not given back, because that doctor was killed. */
import { endTrial, type DoctorTrial } from '../../src/db/operations/doctor-trials.ts';
import { closeFinding } from '../../src/db/operations/findings.ts';
import { TRIAL_LIMIT_MS } from '../../src/domain/operations/doctor-trials.ts';
import type { Finding } from '../../src/domain/operations/findings.ts';
import type { OwnServer, VpsProvider } from '../../src/providers/vps/port.ts';
import type { Found, ReconcileContext } from './book.ts';

/** None while the trial may be under way. Nobody's mail is on such a server: the Schedule deletes it. */
export function trialFindings(
  context: ReconcileContext,
  vps: VpsProvider,
  { server, trial }: { server: OwnServer; trial: DoctorTrial },
): Found[] {
  const { db, clock } = context;
  const { name, id, createdAt } = server;
  if (clock.now().getTime() - trial.started_at.getTime() < TRIAL_LIMIT_MS) return [];
  const finding: Finding = {
    kind: 'orphan_server',
    subject: `${vps.name}/${name}`,
    operationId: null,
    detail: { name, id, createdAt, row: 'doctor', domain: trial.domain },
  };
  return [
    {
      finding,
      isSafe: true,
      heal: async (words) => {
        await vps.destroy(name, id);
        // Where this fails the row stays open: the next `--order` gives back what is left.
        await deleteRecords(context, trial);
        await endTrial(db, name, clock.now());
        await closeFinding(db, finding, words);
        return true;
      },
    },
  ];
}

async function deleteRecords(
  { registrars }: ReconcileContext,
  { registrar: name, domain, name: label }: DoctorTrial,
): Promise<void> {
  const registrar = registrars[name];
  const records = (await registrar?.listRecords(domain)) ?? [];
  for (const { id } of records.filter((one) => one.name === label)) {
    await registrar?.deleteRecord(domain, id);
  }
}
