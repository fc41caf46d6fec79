/** Run by the Schedule of a client: orders what is due. The search itself is an operation of its own. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { RunScheduleInput } from '../contracts/run-schedule.ts';
import { policies } from '../engine/policies.ts';

export async function runSchedule(input: RunScheduleInput): Promise<{ outcome: string }> {
  const { scheduleId, runKey, pace } = input;
  const db = proxyActivities<Activities>(policies(pace).dbWrite);
  return db.beginScheduledRun.executeWithOptions(
    { activityId: 'schedule.begin', summary: 'Order what is due' },
    [{ scheduleId, runKey }],
  );
}
