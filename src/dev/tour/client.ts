/**
 * The tour's HTTP calls: the product's API in its envelope, the sandbox's control API in plain JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { check, type Tour } from './tour.ts';

/** How often a 429 is waited out before it counts as an error. */
const patience = 3;

interface Call {
  body?: object;
  /** Used instead of the tour's key. */
  token?: string;
}

/** Calls the API like a client; answers `data`, throws on anything but 2xx. */
export async function api<Data>(
  tour: Tour,
  method: string,
  path: string,
  call: Call = {},
): Promise<Data> {
  const token = call.token ?? tour.key?.key;
  for (let attempt = 1; ; attempt++) {
    const answer = await send(tour.world.api + path, method, call.body, token);
    if (answer.status === 429 && attempt <= patience) {
      await sleep(1000 * Number(answer.headers.get('retry-after') ?? 1));
      continue;
    }
    const body = (await answer.json()) as { success: boolean; data: Data; error?: string };
    const said = `${method} ${path} to succeed, it answered ${answer.status}: ${body.error ?? ''}`;
    check(answer.ok && body.success, said);
    return body.data;
  }
}

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

function send(url: string, method: string, body?: object, token?: string): Promise<Response> {
  const headers: Record<string, string> = {};
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (body) headers['content-type'] = 'application/json';
  const signal = AbortSignal.timeout(40_000);
  return fetch(url, { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) });
}
