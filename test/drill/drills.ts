/**
 * The drills: long checks of which `npm test` runs a part, or nothing. Each is a command of its own.
 */
import { Command } from 'commander';

interface Drill {
  /** Relative to the folder test. */
  file: string;
  /** One sentence. */
  summary: string;
}

export const drills = {
  attack: {
    file: 'chaos/attack.ts',
    summary: 'Besets an API with misuse, and measures how long honest clients wait meanwhile.',
  },
  'campaign-kills': {
    file: 'chaos/campaign-kills.ts',
    summary: 'Kills the processes of a world during a campaign, and checks what came of it.',
  },
  chaos: {
    file: 'chaos/provisioning-kills.ts',
    summary: 'Kills the processes of a world during provisionings, and checks what came of it.',
  },
  cluster: {
    file: 'cluster/run.ts',
    summary: 'Restarts every process of a cluster while it works, and checks what came of it.',
  },
  'discovery-kills': {
    file: 'chaos/discovery-kills.ts',
    summary: 'Kills the worker of a discovery again and again, and checks what came of it.',
  },
  fuzz: {
    file: 'fuzz/run.ts',
    summary: 'Sends odd requests and holds each answer against the OpenAPI document.',
  },
  'ledger-storm': {
    file: 'chaos/ledger-storm.ts',
    summary: 'Moves money by many clients at once while connections and processes die.',
  },
  links: {
    file: 'chaos/links.ts',
    summary: 'Breaks the links between the processes of a world while users work in it.',
  },
  matrix: {
    file: 'workflows/run-matrix.ts',
    summary:
      'Every activity of every flow with side effects goes wrong in every way; then all records are compared.',
  },
  'blocked-clusters': {
    file: 'chaos/blocked-clusters.ts',
    summary: 'Blocks clusters by an expired token and resumes all of them with one command.',
  },
  'cli-tour': {
    file: 'cli/tour-drill.ts',
    summary: 'Finishes the guided tour by the command line of a client, and counts its commands.',
  },
  'mcp-tour': {
    file: 'mcp/tour-drill.ts',
    summary: 'Finishes the guided tour by the tools of outreach mcp, and counts its calls.',
  },
  properties: {
    file: 'properties/run.ts',
    summary: 'Runs the property tests with new cases each time.',
  },
  'replay-live': {
    file: 'replay/live.ts',
    summary: 'Replays what is under way in a namespace with the workflows of this build.',
  },
  restore: {
    file: 'restore/run.ts',
    summary: 'Puts Postgres or Temporal back to an earlier moment, and checks what came of it.',
  },
  scale: {
    file: 'cluster/scale.ts',
    summary:
      'Makes one worker four and one again while campaigns send, and checks what came of it.',
  },
  simulate: {
    file: 'simulation/run.ts',
    summary: 'Simulates campaigns on a virtual clock and checks every message.',
  },
} satisfies Record<string, Drill>;

export type DrillName = keyof typeof drills;

export const drillNames = Object.keys(drills) as DrillName[];

/** The command of one drill; its file adds the options and an example. */
export const drillCommand = (name: DrillName): Command =>
  new Command(`npm run drill -- ${name}`).description(drills[name].summary);
