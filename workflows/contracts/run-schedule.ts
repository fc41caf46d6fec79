/** Contract of `runSchedule`, which the Schedule of a client starts on the days of its choice. */
import type { Pace } from '../../src/domain/operations/operations.ts';

export const runScheduleType = 'runSchedule';

export interface RunScheduleInput {
  scheduleId: number;
  /** Random part of the Schedule's id: the id alone may be handed out again after a restore. */
  runKey: string;
  pace: Pace;
}
