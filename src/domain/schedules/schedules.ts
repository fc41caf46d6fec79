/** Searches and placement tests that are repeated on days of the client's choice. Choice 94. */
import type { DiscoveryOrder } from '../discovery/discovery.ts';
import type { MapsRunOrder } from '../maps/maps.ts';
import type { PlacementTestOrder } from '../placement/placement.ts';

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When it runs: at most once a day. Empty lists stand for every day. */
export interface ScheduleTimes {
  /** IANA name. */
  timeZone: string;
  /** `HH:MM` there. */
  time: string;
  weekdays: Weekday[];
  /** 1-31; a month without such a day has no run on it. */
  daysOfMonth: number[];
}

export const SCHEDULE_KINDS = ['maps_run', 'lead_process', 'placement_test'] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

/** What each run orders, as its own route would. */
export type ScheduledJob =
  | { kind: 'maps_run'; order: MapsRunOrder }
  | { kind: 'lead_process'; order: DiscoveryOrder }
  | { kind: 'placement_test'; order: PlacementTestOrder };

/** The field of a schedule that has its order. */
export const ORDER_FIELDS = {
  maps_run: 'mapsRun',
  lead_process: 'leadProcess',
  placement_test: 'placementTest',
} as const satisfies Record<ScheduleKind, string>;

/** `skipped`: the run before was still at work, or was on the same day; `failed`: it could not be ordered. */
export const SCHEDULE_RUN_OUTCOMES = ['started', 'skipped', 'failed'] as const;
export type ScheduleRunOutcome = (typeof SCHEDULE_RUN_OUTCOMES)[number];

/** The day on which a run of Temporal's Schedule is due there: its key ends in the time. Undefined for any other key. */
export function dueDay(runKey: string, timeZone: string): string | undefined {
  const at = /-(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(runKey)?.[1];
  return at && localDay(new Date(at), timeZone);
}

export const localDay = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' }).format(at);

/** Of one account. */
export const MAX_SCHEDULES = 100;
