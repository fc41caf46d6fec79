/** Compose and Temporal's UI, built from their Go modules once and cached. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporalBuild, temporalServerPath } from '../cluster/temporal-build.ts';
import { atOnce, cached, told, type Report } from './cache.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 26;

const COMPOSE = { module: 'github.com/docker/compose/v2', path: 'cmd', version: 'v2.40.3' };
const UI = { module: 'github.com/temporalio/ui-server/v2', path: 'cmd/server', version: 'v2.49.1' };
/** The tag of the image has no `v`. */
export const UI_VERSION = UI.version.slice(1);

const composeBinary = () => cached(`docker-compose-${COMPOSE.version}`);
const uiFolder = () => cached(`temporal-ui-${UI.version}`);

/** Nothing has to be compiled. */
export const goToolsAreBuilt = (): boolean =>
  [composeBinary(), uiFolder(), temporalServerPath()].every((path) => existsSync(path));

export interface GoTools {
  compose: string;
  /** It has `server` and `docker.yaml`. */
  ui: string;
  temporal: Awaited<ReturnType<typeof temporalBuild>>;
}

/** Finds or builds all of them. */
export async function goTools(report: Report): Promise<GoTools> {
  const compose = await composeBuild(report);
  const temporal = await temporalBuild(report);
  return { compose, temporal, ui: await uiBuild(report) };
}

async function composeBuild(report: Report): Promise<string> {
  const to = composeBinary();
  if (existsSync(to)) return to;
  await atOnce(to, async (folder, binary) => {
    // Its go.mod pins versions by `replace`, which `go install` refuses: so it becomes a tool of a new module.
    await goIn(folder, 'mod', 'init', 'local');
    await goIn(folder, 'get', '-tool', `${COMPOSE.module}/${COMPOSE.path}@${COMPOSE.version}`);
    const build = ['build', '-mod=mod', '-trimpath', '-ldflags=-s -w', '-o', binary];
    await told(`Compose ${COMPOSE.version} by Go`, report, () =>
      goIn(folder, ...build, `${COMPOSE.module}/${COMPOSE.path}`),
    );
  });
  return to;
}

async function uiBuild(report: Report): Promise<string> {
  const to = uiFolder();
  if (existsSync(to)) return to;
  await atOnce(to, async (folder, made) => {
    await mkdir(made);
    await goIn(folder, 'mod', 'init', 'local');
    await goIn(folder, 'get', '-tool', `${UI.module}/${UI.path}@${UI.version}`);
    const build = ['build', '-mod=mod', '-trimpath', '-ldflags=-s -w', '-o', join(made, 'server')];
    await told(`Temporal's UI ${UI.version} by Go`, report, () =>
      goIn(folder, ...build, `${UI.module}/${UI.path}`),
    );
    const { stdout } = await goIn(folder, 'list', '-m', '-f', '{{.Dir}}', UI.module);
    await cp(join(stdout.trim(), 'config', 'docker.yaml'), join(made, 'docker.yaml'));
  });
  return to;
}

/** Through `env`, so that Go keeps all settings of the caller. Without C: it runs on any Debian. */
const goIn = (folder: string, ...args: string[]) =>
  run('env', ['CGO_ENABLED=0', 'go', ...args], { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES });
