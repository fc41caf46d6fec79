/** Calls to the Apify stand-in, as its clients make them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply, TestSandbox } from './sandbox.ts';

export const MAPS_ACTOR = 'compass~crawler-google-places';
const TOKEN = { authorization: 'Bearer apify-sandbox-token' };

/** `/actor-runs/...` with the sandbox's token. */
export const apify = (
  sandbox: TestSandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> => sandbox.ask(method, `/apify/v2${path}`, body, TOKEN);

export const startRun = (sandbox: TestSandbox, input: object, query = '', actor = MAPS_ACTOR) =>
  apify(sandbox, 'POST', `/actors/${actor}/runs${query}`, input);

/** Waits until the run is over and its last rows are visible; answers the rows. */
export async function rowsOf(sandbox: TestSandbox, run: Reply): Promise<Record<string, unknown>[]> {
  const { id, defaultDatasetId } = run.body.data;
  await apify(sandbox, 'GET', `/actor-runs/${id}?waitForFinish=60`);
  await sleep(200);
  const { body } = await apify(sandbox, 'GET', `/datasets/${defaultDatasetId}/items`);
  return body as Record<string, unknown>[];
}

/** Starts a run and waits for all of its rows. */
export const scrape = async (sandbox: TestSandbox, input: object) =>
  rowsOf(sandbox, await startRun(sandbox, input));
