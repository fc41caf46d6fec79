/** The client as it is released, in each runtime that it is for, against the API. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import { afterAll, beforeAll, it } from 'vitest';
import { standardHeaders } from '../../src/providers/webhook-endpoints/signatures.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { TOTAL } from '../support/clients/exercise.ts';
import { installClient, RUNTIMES } from '../support/clients/runtimes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the first POSTs of a caller are refused with. */
const REFUSALS = [429, 503];

interface Post {
  key: unknown;
  at: number;
}
/** What all of them brought, by the caller's token. */
const postsOf = new Map<string, Post[]>();

const refuse: RequestHandler = (request, response, next) => {
  const posts = postsOf.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
  if (request.method !== 'POST' || posts === undefined) return next();
  posts.push({ key: request.headers['idempotency-key'], at: performance.now() });
  const status = REFUSALS[posts.length - 1];
  if (status === undefined) return next();
  const error = { success: false, error: 'Later', code: 'RATE_LIMITED', requestId: 'r' };
  response.status(status).set('Retry-After', '1').json(error);
};

const { api } = describeApi(() => ({ observers: [refuse] }));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outreach-runtimes-'));
  await installClient(root, folder);
});
afterAll(() => rm(folder, { recursive: true }));

const webhook = () => {
  const secret = `whsec_${'0123456789abcdef'.repeat(4)}`;
  const body = JSON.stringify({ id: 'evt_1', type: 'email.replied', data: { name: 'Zoë' } });
  return {
    body,
    headers: { ...standardHeaders({ secrets: [secret], eventId: 'evt_1', body }, new Date()) },
    secret,
  };
};

it.concurrent.for(RUNTIMES)('does all of it in $name', async (runtime, { skip, expect }) => {
  skip(runtime.missing !== undefined, runtime.missing);
  const apiKey = await api.jwt(runtime.name);
  const posts: Post[] = [];
  postsOf.set(apiKey, posts);
  const settings = { baseUrl: api.url, apiKey, webhook: webhook() };
  const done = await runtime.exercise(folder, settings);
  const names = Array.from({ length: TOTAL }, (_, at) => `List ${at}`);
  expect(done).toMatchObject({
    runtime: expect.stringMatching(runtime.agent),
    made: { id: expect.any(Number), name: 'List 0' },
    error: { status: 404, code: 'LEAD_LIST_NOT_FOUND' },
    event: 'email.replied',
    refused: true,
  });
  const { numbered, byCursor } = done as { numbered: string[]; byCursor: string[] };
  expect(numbered.toSorted()).toEqual(names);
  expect(byCursor.toSorted()).toEqual(names.map((_, at) => `ada-${at}@pages.test`));

  // The first POST was repeated by one key, as late as it was told; the others have theirs.
  const [first, second, third, ...others] = posts;
  expect([second!.key, third!.key]).toEqual([first!.key, first!.key]);
  expect(second!.at - first!.at).toBeGreaterThan(990);
  expect(third!.at - second!.at).toBeGreaterThan(990);
  expect(new Set([first, ...others].map((post) => post!.key)).size).toBe(TOTAL + 1);
});
