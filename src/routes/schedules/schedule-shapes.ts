/** Wire shapes of schedules and their runs. Choice 94. */
import { z } from 'zod';
import { LEAD_PROCESS_STATUSES, type DiscoveryOrder } from '../../domain/discovery/discovery.ts';
import { MAPS_RUN_STATUSES, type MapsRunOrder } from '../../domain/maps/maps.ts';
import {
  PLACEMENT_TEST_STATUSES,
  PLACEMENT_VERDICTS,
  type PlacementTestOrder,
} from '../../domain/placement/placement.ts';
import {
  SCHEDULE_KINDS,
  SCHEDULE_RUN_OUTCOMES,
  WEEKDAYS,
  type ScheduledJob,
} from '../../domain/schedules/schedules.ts';
import { canonicalTimeZone } from '../../domain/time-zone.ts';
import { shortText, timestamp } from '../../http/schemas.ts';
import type { getScheduleView, listRunsOfSchedule } from '../../services/schedules/schedules.ts';
import { discoveryOrder } from '../discovery/lead-processes.ts';
import { orderOf, requestOf, searchOrder } from '../maps/maps-orders.ts';
import { placementTestOrder } from '../placement/test-shapes.ts';

const unique = <T>(items: T[]): T[] => [...new Set(items)];

const timeZone = z
  .string()
  .refine((name) => canonicalTimeZone(name) !== undefined, 'must be an IANA time zone')
  .transform((name) => canonicalTimeZone(name)!);
const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM')
  .describe('In that time zone.');
const weekdays = z.array(z.enum(WEEKDAYS)).max(7).transform(unique);
const daysOfMonth = z.array(z.int().min(1).max(31)).max(31).transform(unique);

const times = z.object({
  timeZone: timeZone.default('UTC'),
  time,
  weekdays: weekdays.default([]),
  daysOfMonth: daysOfMonth.default([]),
});

const JOBS =
  'is required where neither leadProcess nor placementTest is given, and never beside them';

export const scheduleOrder = z
  .object({
    name: shortText,
    mapsRun: searchOrder.optional().describe('As in `POST /v1/maps-scraper/runs`.'),
    leadProcess: discoveryOrder
      .optional()
      .describe(
        'As in `POST /v1/leads/process`, but that without `leadListId` all runs fill one list, which the first one makes.',
      ),
    placementTest: placementTestOrder
      .optional()
      .describe('As in `POST /v1/placement/tests`; without a mailbox each run takes the next one.'),
    onlyNewPlaces: z
      .boolean()
      .default(true)
      .describe('A maps run saves only places that no earlier run of this schedule has seen.'),
    times,
    paused: z.boolean().default(false),
  })
  .refine(
    ({ mapsRun, leadProcess, placementTest }) =>
      [mapsRun, leadProcess, placementTest].filter((job) => job !== undefined).length === 1,
    { path: ['mapsRun'], message: JOBS },
  );

export const scheduleChange = z
  .object({
    name: shortText,
    mapsRun: searchOrder,
    leadProcess: discoveryOrder,
    placementTest: placementTestOrder,
    onlyNewPlaces: z.boolean(),
    times: z
      .object({ timeZone, time, weekdays, daysOfMonth })
      .partial()
      .describe('What is left out stays as it is.'),
    paused: z.boolean(),
  })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'nothing to change',
  });

/** Undefined where the change has none. */
export function jobOf({
  mapsRun,
  leadProcess,
  placementTest,
}: {
  mapsRun?: z.output<typeof searchOrder> | undefined;
  leadProcess?: z.output<typeof discoveryOrder> | undefined;
  placementTest?: z.output<typeof placementTestOrder> | undefined;
}): ScheduledJob | undefined {
  if (mapsRun) return { kind: 'maps_run', order: orderOf(mapsRun) };
  if (leadProcess) return { kind: 'lead_process', order: leadProcess };
  return placementTest && { kind: 'placement_test', order: placementTest };
}

export const schedule = z
  .object({
    id: z.int(),
    name: z.string(),
    kind: z.enum(SCHEDULE_KINDS),
    mapsRun: z.record(z.string(), z.unknown()).nullable().describe('What each run orders.'),
    leadProcess: z.record(z.string(), z.unknown()).nullable().describe('What each run orders.'),
    placementTest: z.record(z.string(), z.unknown()).nullable().describe('What each run orders.'),
    onlyNewPlaces: z.boolean().nullable().describe('Null for all but maps runs.'),
    times: z.object({
      timeZone: z.string(),
      time: z.string(),
      weekdays: z.array(z.enum(WEEKDAYS)),
      daysOfMonth: z.array(z.int()),
    }),
    paused: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Schedule' });

export const scheduleView = schedule
  .extend({
    nextRuns: z
      .array(timestamp)
      .nullable()
      .describe('Empty while it is paused; null where they cannot be told at the moment.'),
  })
  .meta({ id: 'ScheduleView' });

type View = Awaited<ReturnType<typeof getScheduleView>>;

export function presentSchedule(row: View['row']): z.input<typeof schedule> {
  const isMaps = row.kind === 'maps_run';
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    mapsRun: isMaps ? requestOf(row.job as MapsRunOrder) : null,
    leadProcess: row.kind === 'lead_process' ? { ...(row.job as DiscoveryOrder) } : null,
    placementTest: row.kind === 'placement_test' ? { ...(row.job as PlacementTestOrder) } : null,
    onlyNewPlaces: isMaps ? row.only_new_places : null,
    times: row.times,
    paused: row.paused,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export const presentView = ({ row, nextRuns }: View): z.input<typeof scheduleView> => ({
  ...presentSchedule(row),
  nextRuns: nextRuns && nextRuns.map((at) => at.toISOString()),
});

export const scheduleRun = z
  .object({
    id: z.int(),
    scheduleId: z.int(),
    outcome: z.enum(SCHEDULE_RUN_OUTCOMES),
    reason: z.string().nullable().describe('Why it was skipped, or has failed.'),
    mapsRunId: z.int().nullable(),
    leadProcessId: z.int().nullable(),
    placementTestId: z.int().nullable(),
    status: z
      .enum([
        ...new Set([...MAPS_RUN_STATUSES, ...LEAD_PROCESS_STATUSES, ...PLACEMENT_TEST_STATUSES]),
      ])
      .nullable()
      .describe('Of the maps run, the discovery or the placement test.'),
    verdict: z.enum(PLACEMENT_VERDICTS).nullable().describe('Of a placement test.'),
    newPlaces: z.int().nullable().describe('Seen by no earlier run of this schedule.'),
    knownPlaces: z.int().nullable(),
    newLeads: z.int().nullable(),
    knownLeads: z.int().nullable().describe('People who were leads of the list before.'),
    createdAt: timestamp,
  })
  .meta({ id: 'ScheduleRun' });

type RunRow = Awaited<ReturnType<typeof listRunsOfSchedule>>['rows'][number];

export function presentRun(row: RunRow): z.input<typeof scheduleRun> {
  const { saved_items: saved, known_items: known } = row;
  const newPlaces = saved === null ? null : saved - (row.only_new_places ? 0 : known!);
  return {
    id: row.id,
    scheduleId: row.schedule_id,
    outcome: row.outcome,
    reason: row.reason,
    mapsRunId: row.maps_run_id,
    leadProcessId: row.lead_process_id,
    placementTestId: row.placement_test_id,
    status: row.maps_status ?? row.process_status ?? row.test_status,
    verdict: row.verdict,
    newPlaces,
    knownPlaces: known,
    newLeads: row.found_leads,
    knownLeads: row.duplicate_leads,
    createdAt: row.created_at.toISOString(),
  };
}
