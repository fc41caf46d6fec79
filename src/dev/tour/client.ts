/** The tour's HTTP calls: the product's API by its client, the sandbox's control API in plain JSON. */
import { createOutreach, type Outreach } from '../../../clients/typescript/src/index.ts';
import { check, type Tour } from './tour.ts';

const TIMEOUT_SECONDS = 40;

/** The API, as any client calls it; `token` instead of the tour's key. */
export const api = ({ world, key }: Tour, token = key?.key ?? ''): Outreach =>
  createOutreach({ baseUrl: world.api, apiKey: token, timeoutSeconds: TIMEOUT_SECONDS });

/** Calls the sandbox's control API, e.g. `GET`, `/books`. */
export async function control<Answer>(
  tour: Tour,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await send(`${tour.world.sandbox}/_sandbox${path}`, method, body);
  const text = await answer.text();
  check(answer.ok, `the sandbox to take ${method} ${path}, it answered ${answer.status}: ${text}`);
  return (text ? JSON.parse(text) : undefined) as Answer;
}

function send(url: string, method: string, body?: object): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000);
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method, signal, ...(body && { headers, body: JSON.stringify(body) }) });
}
