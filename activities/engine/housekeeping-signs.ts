/** Notes what the runs of housekeeping Schedules do, around their activities: a run that does nothing looks like a good one. */
import type { Context } from '../../src/context.ts';
import { noteAdvanced, noteIdle, noteLook } from '../../src/db/operations/housekeeping.ts';
import type { HousekeepingSchedule } from '../../src/domain/operations/housekeeping.ts';

/** What a step answers; absent fields are those of other steps. */
interface StepAnswer {
  stage?: string;
  /** Of the stage `published`: this step has published something, which nobody sees yet. */
  isNew?: boolean;
  begun?: boolean;
  isNoted?: boolean;
}

/** `unconfigured`: how many more are due that no step can be run for. */
interface PageAnswer {
  nextId: number | null;
  due?: unknown[];
  unconfigured?: number;
}

interface Sign {
  schedule: HousekeepingSchedule;
  as: 'look' | 'step';
}

/** Stages that a step has moved something on to. */
const ADVANCED = ['seen', 'switched', 'withdrawn', 'complete', 'announced'];
/** It is not for us to do anything: the time has not come, or the owner keeps us from it. */
const IDLE = ['overlapping', 'foreign', 'forbidden'];

/** Of a step that has not thrown. One that tried in vain, or waits for what may never come, has `failed`. */
function judge({ stage, isNew, begun, isNoted }: StepAnswer): 'advanced' | 'idle' | 'failed' {
  if (stage === undefined) return begun ? 'advanced' : isNoted ? 'failed' : 'idle';
  if (ADVANCED.includes(stage) || (stage === 'published' && isNew)) return 'advanced';
  return IDLE.includes(stage) ? 'idle' : 'failed';
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
    const judgement = judge(call.result as StepAnswer);
    if (judgement === 'advanced') await noteAdvanced(db, schedule);
    if (judgement === 'idle') await noteIdle(db, schedule);
    return;
  }
  const { afterId } = call.input as { afterId: number };
  const { nextId, due = [], unconfigured = 0 } = call.result as PageAnswer;
  const look = { schedule, afterId, isLast: nextId === null, due: due.length + unconfigured };
  const fruitless = await noteLook(db, look);
  if (afterId === 0 && fruitless > 0) {
    logger.error(
      { schedule, runs: fruitless },
      'runs of a Schedule had work, and advanced nothing',
    );
  }
}
