/** Notes what the runs of housekeeping Schedules do, around their activities: a run that does nothing looks like a good one. */
import type { Context } from '../../src/context.ts';
import { noteAdvanced, noteLook } from '../../src/db/operations/housekeeping.ts';
import type { HousekeepingSchedule } from '../../src/domain/operations/housekeeping.ts';

interface Sign {
  schedule: HousekeepingSchedule;
  as: 'look' | 'step';
}

/** `look`: a page of what is due, in `due` where the run goes through it; `step`: one of them. */
const SIGNS: Readonly<Record<string, Sign>> = {
  listDueDomains: { schedule: 'renew-domains', as: 'look' },
  renewDueDomain: { schedule: 'renew-domains', as: 'step' },
  listDkimRotations: { schedule: 'rotate-dkim-keys', as: 'look' },
  advanceDkimRotation: { schedule: 'rotate-dkim-keys', as: 'step' },
  listIncompleteDomains: { schedule: 'complete-records', as: 'look' },
  completeDomainRecords: { schedule: 'complete-records', as: 'step' },
  listMtaSts: { schedule: 'publish-mta-sts', as: 'look' },
  advanceMtaSts: { schedule: 'publish-mta-sts', as: 'step' },
  checkMailHosts: { schedule: 'check-mail-hosts', as: 'look' },
  readMailReports: { schedule: 'read-mail-reports', as: 'look' },
};

// oxlint-disable-next-line typescript/no-explicit-any -- activities have any one argument
type Activity = (...input: any[]) => Promise<unknown>;

export function withSigns<T extends Record<string, Activity>>(
  context: Pick<Context, 'db' | 'logger'>,
  activities: T,
): T {
  const signed = Object.entries(SIGNS).map(([name, sign]): [string, Activity] => {
    const activity = activities[name]!;
    return [
      name,
      async (...input) => {
        const result = await activity(...input);
        await note(context, sign, { input: input[0], result }).catch((err: unknown) => {
          context.logger.warn(
            { err, schedule: sign.schedule },
            'a run of a Schedule was not noted',
          );
        });
        return result;
      },
    ];
  });
  return { ...activities, ...Object.fromEntries(signed) };
}

async function note(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  { schedule, as }: Sign,
  call: { input: unknown; result: unknown },
): Promise<void> {
  if (as === 'step') {
    const { isNoted = false } = call.result as { isNoted?: boolean };
    return isNoted ? undefined : noteAdvanced(db, schedule);
  }
  const { afterId } = call.input as { afterId: number };
  const { nextId, due = [] } = call.result as { nextId: number | null; due?: unknown[] };
  const look = { schedule, isFirst: afterId === 0, isLast: nextId === null, due: due.length };
  const fruitless = await noteLook(db, look);
  if (look.isFirst && fruitless > 0) {
    logger.error(
      { schedule, runs: fruitless },
      'runs of a Schedule had work, and advanced nothing',
    );
  }
}
