/** What every part of the rehearsal works on: the deployed project, its size, and who hears of it. */
import type { Project } from './project.ts';
import type { Report } from './report.ts';
import type { Deployment } from './settings.ts';

export interface Rehearsal {
  project: Project;
  deployment: Deployment;
  report: Report;
  slice: boolean;
  /** By an earlier run. */
  built: boolean;
  folder: string;
}

const WORKERS = 3;

/** Services that go on running, and of how many containers. */
export const EXPECTED = { postgres: 1, temporal: 1, 'temporal-ui': 1, api: 1, worker: WORKERS };
/** Of some services, named after it. */
export const UP_ONLY = ['up', '--detach', '--no-build', '--no-deps'];
const SCALE = ['--scale', `worker=${WORKERS}`];
export const UP = ['up', '--detach', '--no-build', ...SCALE];
/** A scale is refused where its service is not among those that are named. */
export const UP_WORKERS = [...UP_ONLY, ...SCALE, 'worker'];
/** A machine of two cores that does other things, too. */
export const WELL_MS = 600_000;
