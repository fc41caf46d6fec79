/** The project of docker-compose.yml: compose's command line, its containers, and when they are well. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { devEnvironment } from '../../src/dev/environment.ts';
import { root } from '../../src/dev/processes/processes.ts';
import { capture, type Engine } from './engine.ts';

const POLL_MS = 1_000;
const PROJECT = 'outreach';
/** Of deploy/world/compose.env. */
export const WORLD = 'outreach-world';

/** Runs lines of a document with these variables; answers what they said. */
export type Shell = (lines: string, folder: string) => Promise<string>;

export interface Container {
  id: string;
  /** `api`, `worker`. */
  service: string;
  /** `outreach-worker-2`. */
  name: string;
  pid: number;
  status: string;
  exitCode: number;
  health: string | undefined;
  restarts: number;
  image: string;
  startedAt: string;
}

export interface ProjectFiles {
  /** Beside docker-compose.yml: what differs in this test alone. */
  override: string;
  env: string;
  /** Where it is not that of docker-compose.yml. */
  name?: string;
}

interface Inspected {
  Id: string;
  Name: string;
  Image: string;
  RestartCount: number;
  State: {
    Pid: number;
    Status: string;
    ExitCode: number;
    StartedAt: string;
    Health?: { Status: string };
  };
  Config: { Labels: Record<string, string> };
}

export interface Project {
  /** Runs compose with these arguments; answers its output. */
  compose: (args: string[], env?: Record<string, string>) => Promise<string>;
  docker: Engine['docker'];
  /** The lines of a guide, in which `docker compose` is that of this project. */
  shell: Shell;
  /** By name. */
  containers: () => Promise<Container[]>;
  /** Resolves when every service is healthy and every job has ended well; rejects with who is not. */
  settled: (limitMs: number, expected: Record<string, number>) => Promise<void>;
  /** The same containers, with other settings. */
  beside: (files: ProjectFiles) => Project;
}

/** `binary` is compose itself; `files` say where its settings are. */
export function openProject(engine: Engine, binary: string, files: ProjectFiles): Project {
  const place = ['--project-directory', root, '-f', join(root, 'docker-compose.yml')];
  const settings = ['-f', files.override, '--env-file', files.env, '--ansi', 'never'];
  const compose = (args: string[], env: Record<string, string> = {}) =>
    capture(binary, [...place, ...settings, ...args], { ...engine.env, ...env });
  const words = [binary, ...place, ...settings].map((word) => `'${word}'`).join(' ');
  const prelude = `cd "$0"; docker() { shift; ${words} "$@"; }`;
  const shell: Shell = (lines, folder) => {
    const PATH = `${devEnvironment().path}:/usr/sbin:/sbin`;
    const program = ['-euo', 'pipefail', '-c', `${prelude}\n${lines}`, folder];
    return capture('bash', program, { ...engine.env, PATH });
  };
  const containers = async (): Promise<Container[]> => {
    const filter = ['--filter', `label=com.docker.compose.project=${files.name ?? PROJECT}`];
    const ids = (await engine.docker('ps', '--all', '--quiet', ...filter)).split('\n');
    const wanted = ids.filter(Boolean);
    if (wanted.length === 0) return [];
    const text = await engine.docker('inspect', ...wanted);
    return (JSON.parse(text) as Inspected[]).map(described).toSorted(byName);
  };
  const settled = async (limitMs: number, expected: Record<string, number>): Promise<void> => {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const found = await containers().catch(() => []);
      const unwell = found.filter((one) => !isWell(one)).map(stateOf);
      for (const [service, count] of Object.entries(expected)) {
        const there = found.filter((one) => one.service === service).length;
        if (there !== count) unwell.push(`${service}: ${there} containers, not ${count}`);
      }
      if (unwell.length === 0) return;
      if (Date.now() > deadline) {
        throw new Error(`not well in ${limitMs / 1_000} s: ${unwell.join('; ')}`);
      }
      await sleep(POLL_MS);
    }
  };
  const beside = (other: ProjectFiles) => openProject(engine, binary, other);
  return { compose, shell, containers, settled, beside, docker: engine.docker };
}

const isWell = ({ status, health, exitCode }: Container) =>
  status === 'exited'
    ? exitCode === 0
    : status === 'running' && (health ?? 'healthy') === 'healthy';

const stateOf = ({ name, status, health, exitCode }: Container) =>
  `${name} ${status === 'exited' ? `ended with ${exitCode}` : `${status} ${health ?? ''}`}`;

const byName = (one: Container, other: Container) => one.name.localeCompare(other.name);

function described(one: Inspected): Container {
  const { State: state } = one;
  return {
    id: one.Id,
    name: one.Name.slice(1),
    service: one.Config.Labels['com.docker.compose.service'] ?? '',
    pid: state.Pid,
    status: state.Status,
    exitCode: state.ExitCode,
    health: state.Health?.Status,
    restarts: one.RestartCount,
    image: one.Image,
    startedAt: state.StartedAt,
  };
}
