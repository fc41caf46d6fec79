/** Apify's calls about actors, runs, datasets and key-value stores. */
import { Router, type Request, type Response } from 'express';
import { send } from '../vendor-router.ts';
import { findActor, type Actor, type ActorInput } from './actors.ts';
import { flagOf, numberOf, runOptions, sliceOf } from './query.ts';
import type { Run, RunRecords } from './runs.ts';
import { statusAt } from './run-clock.ts';
import { shownDataset, shownList, shownRun } from './shown.ts';
import { noCredit, refuse } from './wire.ts';

/** The most lines of a list. */
const MAX_RUNS = 1_000;
/** The limit that the platform reports when none was given. */
const NO_LIMIT = 999_999_999_999;

export function apifyRoutes(book: RunRecords, actors: Actor[]): Router {
  const router = Router();
  router.use(actorRoutes(book, actors), runRoutes(book), storageRoutes(book));
  router.get('/v2/users/me/limits', (_request, response) => response.json(limitsOf(book)));
  return router;
}

/** The month's credit is what was ever put in, as if all was spent this month. */
function limitsOf(book: RunRecords): object {
  const used = book.spentUsd();
  const none = { actorMemoryGbytes: 0, actorCount: 0, actorTaskCount: 0, activeActorJobCount: 0 };
  return {
    data: {
      monthlyUsageCycle: { startAt: '2026-11-01T00:00:00.000Z', endAt: '2026-11-30T23:59:59.999Z' },
      limits: {
        maxMonthlyUsageUsd: used + book.creditLeftUsd(),
        maxMonthlyActorComputeUnits: 1_000,
        maxMonthlyExternalDataTransferGbytes: 100,
        maxMonthlyProxySerps: 100_000,
        maxMonthlyResidentialProxyGbytes: 50,
        maxActorMemoryGbytes: 128,
        maxActorCount: 500,
        maxActorTaskCount: 5_000,
        maxConcurrentActorJobs: 100,
        maxTeamAccountSeatCount: 1,
        dataRetentionDays: 31,
      },
      current: {
        monthlyUsageUsd: used,
        monthlyActorComputeUnits: 0,
        monthlyExternalDataTransferGbytes: 0,
        monthlyProxySerps: 0,
        monthlyResidentialProxyGbytes: 0,
        ...none,
        teamAccountSeatCount: 1,
      },
    },
  };
}

/** `/v2/acts` is the older spelling of `/v2/actors`. */
function actorRoutes(book: RunRecords, actors: Actor[]): Router {
  const router = Router();
  const actorIn = (request: Request): Actor => {
    const actor = findActor(actors, String(request.params['actor']));
    if (actor === undefined) throw refuse(404, 'record-not-found', 'Actor was not found');
    return actor;
  };
  router.post(['/v2/actors/:actor/runs', '/v2/acts/:actor/runs'], async (request, response) => {
    const actor = actorIn(request);
    const input = inputOf(actor, request);
    const seconds = numberOf(request, 'waitForFinish', { max: 60 }) ?? 0;
    if (book.creditLeftUsd() <= 0) return send(response, noCredit());
    const run = book.start(actor, input, runOptions(request));
    await book.waitForFinish(run.id, seconds);
    // A caller that does not wait gets the run as it was created.
    const now = seconds === 0 ? run.startedAtMs : Date.now();
    response.status(201).json(shownRun(book, book.run(run.id)!, now));
  });
  router.get(['/v2/actors/:actor/runs', '/v2/acts/:actor/runs'], (request, response) => {
    const { id } = actorIn(request);
    sendList(book, { request, response, runs: book.runs().filter((run) => run.actorId === id) });
  });
  router.post(
    ['/v2/actors/:actor/validate-input', '/v2/acts/:actor/validate-input'],
    (request, response) => {
      inputOf(actorIn(request), request);
      response.json({ valid: true });
    },
  );
  return router;
}

function inputOf(actor: Actor, request: Request): ActorInput {
  const body = (request.body ?? {}) as unknown;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuse(400, 'input-json-not-object', 'The input JSON must be an object');
  }
  const problem = actor.problemOf(body as ActorInput);
  if (problem !== undefined) throw refuse(400, 'invalid-input', problem);
  return body as ActorInput;
}

function runRoutes(book: RunRecords): Router {
  const router = Router();
  router.get('/v2/actor-runs', (request, response) => {
    sendList(book, { request, response, runs: book.runs() });
  });
  const one = ['/v2/actor-runs/:run', '/v2/actors/:actor/runs/:run', '/v2/acts/:actor/runs/:run'];
  router.get(one, async (request, response) => {
    const { id } = runIn(book, request);
    await book.waitForFinish(id, numberOf(request, 'waitForFinish', { max: 60 }) ?? 0);
    response.json(shownRun(book, runIn(book, request)));
  });
  router.post(
    one.map((path) => `${path}/abort`),
    (request, response) => {
      const run = book.abort(runIn(book, request), flagOf(request, 'gracefully'));
      response.json(shownRun(book, run));
    },
  );
  return router;
}

function storageRoutes(book: RunRecords): Router {
  const router = Router();
  const owner = (request: Request): Run => {
    const { dataset, store } = request.params as { dataset?: string; store?: string };
    if (dataset === undefined && store === undefined) return runIn(book, request);
    const run = dataset === undefined ? book.runOfStore(store!) : book.runOfDataset(dataset);
    const noun = dataset === undefined ? 'Key-value Store' : 'Dataset';
    if (run === undefined) throw refuse(404, 'record-not-found', `${noun} was not found`);
    return run;
  };
  router.get(['/v2/datasets/:dataset', '/v2/actor-runs/:run/dataset'], (request, response) => {
    response.json(shownDataset(owner(request)));
  });
  router.get(
    ['/v2/datasets/:dataset/items', '/v2/actor-runs/:run/dataset/items'],
    (request, response) => sendItems(request, response, book.items(owner(request))),
  );
  router.get(
    [
      '/v2/key-value-stores/:store/records/:key',
      '/v2/actor-runs/:run/key-value-store/records/:key',
    ],
    (request, response) => {
      const run = owner(request);
      if (request.params['key'] !== 'INPUT') {
        throw refuse(404, 'record-not-found', 'Record was not found');
      }
      response.json(book.input(run));
    },
  );
  return router;
}

function runIn(book: RunRecords, request: Request): Run {
  const run = book.run(String(request.params['run']));
  if (run === undefined) throw refuse(404, 'record-not-found', 'Actor run was not found');
  return run;
}

interface Listing {
  request: Request;
  response: Response;
  runs: Run[];
}

function sendList(book: RunRecords, { request, response, runs }: Listing): void {
  const wanted = request.query['status'];
  const found = runs.filter((run) => wanted === undefined || statusAt(run, Date.now()) === wanted);
  response.json(shownList(book, found, sliceOf(request, MAX_RUNS)));
}

/** A bare array; totals are in headers only. */
function sendItems(request: Request, response: Response, items: object[]): void {
  const format = request.query['format'];
  if (format !== undefined && format !== 'json') {
    throw refuse(400, 'invalid-parameter', 'The sandbox gives items as json only');
  }
  const { offset, limit, desc } = sliceOf(request, NO_LIMIT);
  const page = (desc ? items.toReversed() : items).slice(offset, offset + limit);
  response.set({
    'X-Apify-Pagination-Total': String(items.length),
    'X-Apify-Pagination-Offset': String(offset),
    'X-Apify-Pagination-Limit': String(limit),
    'X-Apify-Pagination-Count': String(page.length),
    'X-Apify-Pagination-Desc': String(desc),
  });
  response.json(page.map((item) => chosenFields(item, request.query['fields'])));
}

function chosenFields(item: object, fields: unknown): object {
  if (typeof fields !== 'string' || fields === '') return item;
  const wanted = fields.split(',').map((name) => name.trim());
  return Object.fromEntries(Object.entries(item).filter(([name]) => wanted.includes(name)));
}
