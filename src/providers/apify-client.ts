/**
 * Apify API v2 (https://docs.apify.com/api/v2): runs of an actor and the items of their datasets.
 *
 * Starting a run is not idempotent: a marker goes with the actor's input (a key that actors
 * ignore), and after a lost answer the newest runs are searched for it.
 */
import { z } from 'zod';
import { ProviderError } from '../domain/errors.ts';
import type { AccountQuestion } from '../domain/operations/account-questions.ts';
import { apifyQuestion } from './apify-account.ts';
import { apifyRefusal } from './apify-failures.ts';
import { runOf, runAnswer, type ApifyRun } from './apify-runs.ts';
import { createJsonClient, type JsonClient } from './http-client.ts';

/** The key of an actor's input that holds the marker. */
export const MARKER_KEY = 'outreachMarker';

/** How far back runs are searched for a start whose answer was lost; retries end earlier. */
const SEARCHED_MS = 2 * 60 * 60_000;
/** Runs in one list. */
const LISTED_RUNS = 100;
/** The most lists that are read: 10,000 starts of one actor within two hours. */
const MOST_LISTS = 100;
/** Inputs that are read at the same time; the vendor takes 60 requests a second. */
const READ_AT_ONCE = 10;
/** How many markers of runs that were read are kept; an input never changes. */
const KEPT_MARKERS = 5_000;

const runsAnswer = z.object({
  data: z.object({ items: z.array(z.object({ id: z.string(), startedAt: z.string().nullish() })) }),
});

export interface ApifyStart {
  marker: string;
  /** The vendor ends the run after this time. */
  timeoutSeconds: number;
  memoryMbytes?: number;
  /** What the run may cost at most, for actors that charge per event. */
  maxTotalChargeUsd?: number;
  /** Pins the version of an actor; unset = its default build. */
  build?: string;
}

export interface ApifyClient {
  /** For `outreach doctor`. */
  question: AccountQuestion;
  /** One start, never repeated: a lost answer is `outcome_unknown`. `actor` is `user~name`. */
  startRun(actor: string, input: object, start: ApifyStart): Promise<ApifyRun>;
  /** The run that was started with this marker, whatever its status; null = none is shown. */
  findRunByMarker(actor: string, marker: string, signal?: AbortSignal): Promise<ApifyRun | null>;
  /**
   * Waits up to `waitSeconds` (at most half of a request's time) for the run's end. A run that is gone:
   * `rejected`, 404.
   */
  getRun(id: string, waitSeconds?: number, signal?: AbortSignal): Promise<ApifyRun>;
  /** Raw items from `offset`, in the order they were written; `total` = written so far. */
  items(
    datasetId: string,
    part: { offset: number; limit: number; fields?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<{ items: unknown[]; total: number }>;
  /** A no-op on a run that has ended or is gone. */
  abort(id: string): Promise<void>;
}

/** `provider` is the name that errors carry. Throws only ProviderError. */
export function createApifyClient(options: {
  provider: string;
  token: string;
  baseUrl: string;
  timeoutMs: number;
}): ApifyClient {
  const client = createJsonClient({
    provider: options.provider,
    baseUrl: options.baseUrl,
    headers: { authorization: `Bearer ${options.token}` },
    secrets: [options.token],
    timeoutMs: options.timeoutMs,
    refused: (refusal) => apifyRefusal(options.provider, refusal),
  });
  const markers = new Map<string, string | null>();
  const longestWait = Math.floor(options.timeoutMs / 2_000);
  return {
    question: apifyQuestion(client),
    startRun: (actor, input, start) => startRun(client, actor, { input, start }),
    findRunByMarker: (actor, marker, signal) =>
      findRunByMarker(client, markers, { actor, marker, signal }),
    getRun: async (id, waitSeconds = 0, signal) => {
      const waitForFinish = Math.min(waitSeconds, longestWait, 60);
      const query: Record<string, number> = waitForFinish > 0 ? { waitForFinish } : {};
      return runOf(await read(client, { path: runPath(id), query, answer: runAnswer, signal }));
    },
    items: (datasetId, part, signal) => items(client, datasetId, { ...part, signal }),
    abort: async (id) => {
      const call = { method: 'POST', path: `${runPath(id)}/abort`, repeatable: true } as const;
      await client.send({ ...call, answer: z.unknown() }).catch(absentAs(undefined));
    },
  };
}

async function startRun(
  client: JsonClient,
  actor: string,
  { input, start }: { input: object; start: ApifyStart },
): Promise<ApifyRun> {
  const { marker, timeoutSeconds, memoryMbytes, maxTotalChargeUsd, build } = start;
  const answer = await client.send({
    method: 'POST',
    path: `${actorPath(actor)}/runs`,
    query: {
      timeout: timeoutSeconds,
      ...(memoryMbytes !== undefined && { memory: memoryMbytes }),
      ...(maxTotalChargeUsd !== undefined && { maxTotalChargeUsd }),
      ...(build !== undefined && { build }),
    },
    body: { ...input, [MARKER_KEY]: marker },
    repeatable: false,
    answer: runAnswer,
  });
  return runOf(answer);
}

async function findRunByMarker(
  client: JsonClient,
  markers: Map<string, string | null>,
  sought: { actor: string; marker: string; signal: AbortSignal | undefined },
): Promise<ApifyRun | null> {
  const oldest = Date.now() - SEARCHED_MS;
  for (let lists = 0; lists < MOST_LISTS; lists += 1) {
    const { data } = await read(client, {
      path: `${actorPath(sought.actor)}/runs`,
      query: { desc: 'true', limit: LISTED_RUNS, offset: lists * LISTED_RUNS },
      answer: runsAnswer,
      signal: sought.signal,
    });
    const found = await runWithMarker(client, markers, {
      ...sought,
      ids: data.items.map(({ id }) => id),
    });
    if (found !== undefined) {
      return runOf(
        await read(client, { path: runPath(found), answer: runAnswer, signal: sought.signal }),
      );
    }
    const last = data.items.at(-1)?.startedAt;
    // A run that starts meanwhile shifts the others by one, so none is skipped.
    if (data.items.length < LISTED_RUNS || !last || Date.parse(last) < oldest) return null;
  }
  return null;
}

/** The first of the runs that was started with the marker. */
async function runWithMarker(
  client: JsonClient,
  markers: Map<string, string | null>,
  { ids, marker, signal }: { ids: string[]; marker: string; signal: AbortSignal | undefined },
): Promise<string | undefined> {
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const some = ids.slice(from, from + READ_AT_ONCE);
    const held = await Promise.all(some.map((id) => markerOf(client, markers, { id, signal })));
    const found = some[held.indexOf(marker)];
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The marker in a run's input; null where it has none. An input that is not shown yet may still appear.
 */
async function markerOf(
  client: JsonClient,
  markers: Map<string, string | null>,
  { id, signal }: { id: string; signal: AbortSignal | undefined },
): Promise<string | null> {
  const known = markers.get(id);
  if (known !== undefined) return known;
  const path = `${runPath(id)}/key-value-store/records/INPUT`;
  const answer = z.record(z.string(), z.unknown());
  const input = await read(client, { path, answer, signal }).catch(absentAs(null));
  if (input === null) return null;
  const found = input[MARKER_KEY];
  const marker = typeof found === 'string' ? found : null;
  if (markers.size >= KEPT_MARKERS) markers.clear();
  markers.set(id, marker);
  return marker;
}

/** No `clean`: items left out by the vendor would shift the offsets that we go on from. */
async function items(
  client: JsonClient,
  datasetId: string,
  part: {
    offset: number;
    limit: number;
    fields?: readonly string[];
    signal: AbortSignal | undefined;
  },
): Promise<{ items: unknown[]; total: number }> {
  const { offset, limit, fields, signal } = part;
  const { body, headers } = await client.sendForHeaders({
    method: 'GET',
    path: `/v2/datasets/${encodeURIComponent(datasetId)}/items`,
    query: { format: 'json', offset, limit, ...(fields && { fields: fields.join(',') }) },
    repeatable: true,
    answer: z.array(z.unknown()),
    signal,
  });
  const total = Number(headers['x-apify-pagination-total']);
  return { items: body, total: Number.isFinite(total) ? total : offset + body.length };
}

const read = <S extends z.ZodType>(
  client: JsonClient,
  call: {
    path: string;
    query?: Record<string, string | number>;
    answer: S;
    signal: AbortSignal | undefined;
  },
): Promise<z.infer<S>> => client.send({ method: 'GET', repeatable: true, ...call });

const actorPath = (actor: string) => `/v2/actors/${encodeURIComponent(actor)}`;
const runPath = (id: string) => `/v2/actor-runs/${encodeURIComponent(id)}`;

/** Turns the vendor's 404 into `value`; anything else stays an error. */
const absentAs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof ProviderError && error.facts.providerCode === '404') return value;
    throw error;
  };
