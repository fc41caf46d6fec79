/** What every part of the rehearsal works on: the deployed project, its size, and who hears of it. */
import type { Project } from './project.ts';
import type { Report } from './report.ts';
import type { Deployment } from './settings.ts';

export interface Rehearsal {
  project: Project;
  deployment: Deployment;
  report: Report;
  slice: boolean;
  folder: string;
}

const WORKERS = 3;

/** Services that go on running, and of how many containers. */
export const EXPECTED = { postgres: 1, temporal: 1, 'temporal-ui': 1, api: 1, worker: WORKERS };
export const UP = ['up', '--detach', '--no-build', '--scale', `worker=${WORKERS}`];
/** A machine of two cores that does other things, too. */
export const WELL_MS = 300_000;
