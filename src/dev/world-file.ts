/** `world.json`: where everything of a running world is, for scripts, tests and people. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

export interface WorldFile {
  api: string;
  docs: string;
  temporalAddress: string;
  temporalNamespace: string;
  /** Absent when the Temporal server is not ours. */
  temporalUi?: string;
  /** Shows Temporal's payloads: `temporal --codec-endpoint <url> --codec-auth "Bearer <token>"`. */
  codecEndpoint: { url: string; token: string };
  /** As the application's role. */
  databaseUrl: string;
  sandbox: string;
  jwtSecret: string;
  stripeWebhookSecret: string;
  jwt: string;
  apiKey: string;
  /** Only with `--test-mode`; `sandbox` is the control API of its own world. */
  testMode?: { api: string; apiKey: string; sandbox: string; caFile: string };
  /** The authority behind every certificate of the simulated hosts. */
  caFile: string;
  dns: string;
  socks: string;
  metrics: { api: string; worker: string; temporal: string };
  /** Where traces are shown; absent without `--trace`. */
  traces?: string;
  daySeconds: number;
  /** All settings of the API and the worker, as `outreach doctor` reads them. */
  environment: Record<string, string>;
  /** Process ids, rewritten when one is restarted. */
  pids: Record<string, number>;
}

/** For one state dir; writes are queued, the last one wins. */
export function worldFile(stateDir: string) {
  const file = join(stateDir, 'world.json');
  let queue = Promise.resolve();
  const enqueue = (work: () => Promise<void>) => (queue = queue.then(work, work));
  return {
    path: file,
    write: (world: WorldFile) => enqueue(() => writePrivateFile(file, world)),
    remove: () => enqueue(() => rm(file, { force: true })),
  };
}

/** Undefined when no world is up (or it is just starting). */
export async function readWorldFile(stateDir: string): Promise<WorldFile | undefined> {
  const text = await readFile(join(stateDir, 'world.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as WorldFile);
}
