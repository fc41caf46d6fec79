/** Runs one request through its route: caller, body, schemas, handler, envelope. */
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';
import type { HttpStores } from '../domain/accounts/http-stores.ts';
import { auditedRequest, isAudited } from './audited-request.ts';
import { createAuthenticate } from './authenticate.ts';
import { requireScope, scopeOf } from './scopes.ts';
import { envelope, RawJson, Reply } from './envelope.ts';
import { errorAnswer } from './error-response.ts';
import {
  checkIdempotencyKey,
  createOnce,
  requestKeyOf,
  type Answer,
  type IdempotentRequest,
} from './idempotency.ts';
import { successHeaders } from './openapi-answers.ts';
import { Page, sendPage } from './page.ts';
import { readBody } from './request-body.ts';
import { checkEscapes, checkPathText, parseJsonBody, parseQuery } from './request-text.ts';
import { errorsOf } from './route-errors.ts';
import type { Input, Route } from './route.ts';
import { rowCheck, sendStreamed, Streamed } from './stream.ts';
import type { User } from './user.ts';
import { checkFields, checkPath, checkQuery } from './validation.ts';

export type HttpContext = Pick<Context, 'config' | 'db' | 'logger' | 'cipher' | 'httpStores'>;

export interface RunOptions {
  /** Refuses answers that the document does not tell; on in tests, where its cost does not matter. */
  checkAnswers?: boolean;
}

/** Makes the Express handler of a route. */
export function createRunner(
  context: HttpContext,
  options: RunOptions,
): (route: Route) => RequestHandler {
  const authenticate = createAuthenticate(context);
  const once = createOnce(context, options);

  const serve = async (route: Route, request: Request, response: Response): Promise<void> => {
    const { locals } = response;
    locals.route = route.path;
    const user = route.public ? undefined : await authenticate(request, response);
    if (user) {
      locals.userId = user.userId;
      requireScope(user, scopeOf(route));
    }
    checkEscapes(locals);
    checkPathText(request.params);
    // Before the key is claimed: its row is named by the path, so the ids in it must be valid and short.
    const params = route.params ? checkPath(route.params, request.params) : {};
    // No decompression for public routes: no rate limit bounds their requests.
    const limits = { maxBytes: route.maxBodyBytes, mayBePacked: !route.public };
    const rawBody = route.method === 'get' ? NO_BODY : await readBody(request, limits);
    const header = user && route.method === 'post' ? request.get('idempotency-key') : undefined;
    const idempotent: IdempotentRequest | undefined =
      header === undefined
        ? undefined
        : {
            userId: user!.userId,
            route: `POST ${canonicalPath(route, params)}`,
            key: checkIdempotencyKey(header),
            fingerprint: fingerprintOf(request, rawBody),
            isRepeatable: route.repeatable ?? false,
          };
    const { audit } = context.httpStores;
    const call: Call = { route, request, response, user, rawBody, params, idempotent, audit };
    const answer = idempotent
      ? await once(idempotent, () => answerOrError(call, options))
      : await answerOf(call, options);
    if (options.checkAnswers) assertHeaders(route, response);
    if (answer instanceof Page) return sendPage(response, answer);
    if (!(answer instanceof Streamed)) return send(response, answer);
    const isChecked = options.checkAnswers && route.contentType === undefined;
    const check = isChecked ? rowCheck(route) : undefined;
    await sendStreamed(response, route.status, answer, check);
  };

  return (route) => async (request, response) => {
    try {
      await serve(route, request, response);
    } catch (error) {
      if (options.checkAnswers) assertDocumented(route, error);
      throw error;
    }
  };
}

const NO_BODY = Buffer.alloc(0);

interface Call {
  route: Route;
  request: Request;
  response: Response;
  user: User | undefined;
  rawBody: Buffer;
  params: Record<string, unknown>;
  idempotent: IdempotentRequest | undefined;
  audit: HttpStores['audit'];
}

/** Sends JSON text; Express' own `json` would serialise it again and hash it for an ETag. */
export function send(response: Response, answer: Answer): void {
  response.statusCode = answer.status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(answer.text));
  if (answer.replayed) response.setHeader('Idempotent-Replayed', 'true');
  response.end(answer.text);
}

async function answerOf(
  call: Call,
  options: RunOptions,
): Promise<Answer | Streamed<unknown> | Page> {
  const { route } = call;
  const input = inputOf(call);
  const handle = async () => route.handler(input);
  const result = isAudited(route)
    ? await call.audit.carryOut(auditedRequest(call), handle)
    : await handle();
  if (result instanceof Streamed || result instanceof Page) return result;
  if (options.checkAnswers) {
    // A mismatch with our own schema is an internal error that names the field.
    const data = dataOf(result);
    const checked = route.response.safeParse(data);
    if (!checked.success) {
      throw new Error(
        `${route.method} ${route.path} answers against its schema: ${checked.error.message}`,
      );
    }
  }
  const { requestId } = call.response.locals as { requestId: string };
  const told = route.method === 'get' ? undefined : requestId;
  return { status: route.status, text: envelope(result, route.envelope === 'custom', told) };
}

function dataOf(result: unknown): unknown {
  if (result instanceof RawJson) return JSON.parse(result.text);
  return result instanceof Reply ? result.data : result;
}

/** For idempotent requests, whose refusals may be stored as well. */
async function answerOrError(call: Call, options: RunOptions): Promise<Answer> {
  try {
    const answer = await answerOf(call, options);
    // An answer that is stored for repeats has to be complete.
    if (answer instanceof Streamed || answer instanceof Page) {
      throw new Error(`${call.route.path} answers a POST with what cannot be kept`);
    }
    return answer;
  } catch (error) {
    if (options.checkAnswers) assertDocumented(call.route, error);
    const { status, body } = errorAnswer(error, call.response.locals.requestId as string);
    // Only refusals become answers here; the error handler logs and renders the rest.
    if (status !== 400) throw error;
    return { status, text: JSON.stringify(body), code: body.code };
  }
}

/** Throws where the document does not list the error for the route: clients would not expect it. */
function assertDocumented(route: Route, thrown: unknown): void {
  const { status, body } = errorAnswer(thrown, '');
  const isListed = errorsOf(route).some(
    ([listed, codes]) => listed === status && codes.some((code) => code === body.code),
  );
  if (isListed) return;
  const words = `${route.operationId} answers ${status} ${body.code}, which its document does not list`;
  throw new Error(words, { cause: thrown });
}

/** Limits and the like; what browsers are told is nobody's contract. */
const OF_CLIENTS = /^(x-)?ratelimit|^x-request-id$|^retry-after$|^idempotent-/;

/** Throws where the document does not list a header of the answer that is meant for clients. */
function assertHeaders(route: Route, response: Response): void {
  const listed = Object.keys(successHeaders(route)).map((name) => name.toLowerCase());
  const unlisted = response
    .getHeaderNames()
    .filter((name) => OF_CLIENTS.test(name) && !listed.includes(name));
  if (unlisted.length === 0) return;
  throw new Error(
    `${route.operationId} sends ${unlisted.join()}, which its document does not list`,
  );
}

function inputOf(call: Call): Input<unknown, unknown, unknown, User | undefined> {
  const { route, request, response, user, rawBody, params, idempotent } = call;
  const { locals } = response;
  const query = route.query ? checkQuery(route.query, parseQuery(request.url)) : {};
  const body = bodyOf(route, request, rawBody);
  return {
    method: request.method,
    params,
    query,
    body,
    user,
    requestId: locals.requestId as string,
    headers: request.headers,
    rawBody,
    idempotencyKey: idempotent?.key,
    requestKey: idempotent && requestKeyOf(idempotent),
    noteWorkflow: (workflowId) => {
      locals.workflowId = workflowId;
    },
  };
}

function bodyOf(route: Route, request: Request, rawBody: Buffer): unknown {
  if (route.method === 'get' || route.rawBody) return {};
  // A route without a body schema still refuses a body that is not JSON.
  const parsed = parseJsonBody(request.headers['content-type'], rawBody);
  return route.body ? checkFields(route.body, parsed) : {};
}

/** `/v1/clusters/:id/rename` and `{id: '7'}` -> `/v1/clusters/7/rename`. */
const canonicalPath = (route: Route, params: Record<string, unknown>): string =>
  route.path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(params[name])),
  );

const fingerprintOf = (request: Request, rawBody: Buffer): Buffer => {
  const start = request.url.indexOf('?');
  const query = start === -1 ? '' : request.url.slice(start);
  return Buffer.concat([Buffer.from(`${query}\n`), rawBody]);
};
