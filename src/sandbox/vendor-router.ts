/** What surrounds every HTTP stand-in: parsing, the request log, faults and magic names. */
import type { IncomingMessage } from 'node:http';
import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { waitOut, type SandboxCore } from './core.ts';
import type { Fault, FaultKind, Vendor } from './faults.ts';
import { flakyCallFails, magicOf, SLOW_CALL_MS } from './magic-names.ts';

/** An answer in the vendor's own form. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** Thrown by a stand-in to send this answer. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`answered ${answer.status}`);
    this.answer = answer;
  }
}

/** Faults that a vendor answers in its own format. */
export type AnsweredFault = 'error_500' | 'rate_limited' | 'rejected' | 'auth';

export interface VendorWire {
  vendor: Vendor;
  /** The vendor's own answer for a fault; `malformed` is a body that cannot be parsed. */
  answerFor(kind: AnsweredFault | 'malformed'): Answer;
  /** Calls that change nothing although they are not GET. */
  isLookUp?(request: Request): boolean;
  /** Look-ups that do not see lagging effects, like every GET. */
  readsRecords?(request: Request): boolean;
  /** Whether a GET changes something, such as one that is charged. */
  hasEffect?(request: Request): boolean;
  /** The name (domain, host name) that the call is about, for magic names. */
  subjectOf?(request: Request): string | undefined;
}

/** The wrapper's state of the current call; stand-ins may add a fault of their own. */
interface Call {
  fault?: Fault | undefined;
  /** The work is done and the answer is never sent. */
  answerIsLost?: boolean;
}

const BODY_LIMIT = '2mb';
/** For longer answers (thousands of rows) the log keeps only the size. */
const MAX_LOGGED_LENGTH = 512 * 1024;
const calls = new WeakMap<Request, Call>();

/** Marks the call so that its answer is logged but never sent: the work is done all the same. */
export function loseAnswer(request: Request): void {
  const call = calls.get(request);
  if (call !== undefined) call.answerIsLost = true;
}

/** Whether what this call begins is to fail after its answer. */
export const failsLater = (request: Request): boolean =>
  calls.get(request)?.fault?.kind === 'fails_later';

/** Whether this call meets a fault of any kind. */
export const meetsFault = (request: Request): boolean => calls.get(request)?.fault !== undefined;

/** How late the effects of this call show (`lag`), or fail (`fails_later`), in milliseconds; else 0. */
export function lateMs(request: Request): number {
  const fault = calls.get(request)?.fault;
  return fault?.kind === 'lag' || fault?.kind === 'fails_later' ? fault.delayMs : 0;
}

/** Wraps the routes of a stand-in; a fault is taken once per call. */
export function vendorRouter(core: SandboxCore, wire: VendorWire, routes: Router): Router {
  const router = Router();
  router.use((request, response, next) => {
    calls.set(request, {});
    guardAnswer(core, wire.vendor, request, response);
    next();
  });
  router.use(express.json({ limit: BODY_LIMIT, type: isJson }));
  router.use(express.urlencoded({ extended: true, limit: BODY_LIMIT }));
  router.use(express.text({ type: () => true, limit: BODY_LIMIT }));
  router.use(async (request, response, next) => {
    if (await misbehave(core, wire, request, response)) return;
    withView(core, { wire, request }, next);
  });
  router.use(routes);
  router.use((error: Error, _request: Request, response: Response, next: NextFunction) => {
    if (error instanceof Refusal) return send(response, error.answer);
    const status = (error as Error & { status?: number }).status ?? 500;
    if (status < 500) return send(response, wire.answerFor('malformed'));
    next(error);
  });
  return router;
}

/** Answers in the vendor's form. */
export function send(response: Response, answer: Answer): void {
  response
    .status(answer.status)
    .set(answer.headers ?? {})
    .json(answer.body);
}

const isJson = (request: IncomingMessage): boolean =>
  /^application\/(\w+\+)?json\b/i.test(request.headers['content-type'] ?? '');

/** Logs the answer before it is sent, and holds it back where the call's fault says so. */
function guardAnswer(core: SandboxCore, vendor: Vendor, request: Request, response: Response) {
  const end = response.end.bind(response) as (...parts: unknown[]) => Response;
  let logged = false;
  const log = (status: number | null, answer: unknown): void => {
    if (logged) return;
    logged = true;
    core.requestLog.add({
      vendor,
      method: request.method,
      path: ownPath(request),
      headers: flat(request.headers),
      body: request.body as unknown,
      status,
      answer,
      fault: calls.get(request)?.fault?.kind,
    });
  };
  response.end = ((...parts: unknown[]): Response => {
    const call = calls.get(request) ?? {};
    const lost = call.answerIsLost === true || call.fault?.kind === 'timeout_after_effect';
    log(lost ? null : response.statusCode, readAnswer(parts[0]));
    if (lost) return hang(core, response);
    return end(...parts);
  }) as typeof response.end;
  response.on('close', () => log(null, undefined));
}

/** True when the call is over: the fault was its answer (or no answer). */
async function misbehave(
  core: SandboxCore,
  wire: VendorWire,
  request: Request,
  response: Response,
): Promise<boolean> {
  const subject = wire.subjectOf?.(request);
  const magic = magicOf(subject);
  if (magic === 'slow') await core.wait(SLOW_CALL_MS);
  const operation = `${request.method} ${ownPath(request)}`;
  const hasEffect =
    request.method === 'GET'
      ? wire.hasEffect?.(request) === true
      : wire.isLookUp?.(request) !== true;
  const fault = core.faults.take(wire.vendor, operation, hasEffect);
  calls.set(request, { fault });
  if (fault?.kind === 'slow') await waitOut(core, fault);
  if (fault !== undefined && isAnswered(fault.kind)) {
    send(response, wire.answerFor(fault.kind));
    return true;
  }
  if (fault?.kind === 'timeout_before_effect') {
    hang(core, response);
    return true;
  }
  if (fault?.kind === 'reset') {
    request.socket.resetAndDestroy();
    return true;
  }
  if (magic === 'flaky' && flakyCallFails(core.store, `${wire.vendor} ${operation}`, subject!)) {
    send(response, wire.answerFor('error_500'));
    return true;
  }
  return false;
}

/** Reads do not see lagging effects; effects of a call with the `lag` fault begin to lag. */
function withView(
  core: SandboxCore,
  { wire, request }: { wire: VendorWire; request: Request },
  next: NextFunction,
): void {
  const fault = calls.get(request)?.fault;
  const isRead = request.method === 'GET' || wire.readsRecords?.(request) === true;
  if (isRead) core.store.asSeenOutside(() => next());
  else if (fault?.kind === 'lag') core.store.withLag(fault.delayMs, () => next());
  else next();
}

const isAnswered = (kind: FaultKind): kind is AnsweredFault =>
  kind === 'error_500' || kind === 'rate_limited' || kind === 'rejected' || kind === 'auth';

/** Never answers: the connection stays open until the caller gives up or the sandbox closes. */
function hang(core: SandboxCore, response: Response): Response {
  const drop = () => response.destroy();
  core.closing.addEventListener('abort', drop, { once: true });
  response.on('close', () => core.closing.removeEventListener('abort', drop));
  return response;
}

/** The path as the vendor writes it: without the stand-in's mount path. */
const ownPath = (request: Request): string => {
  const mount =
    /^\/(namecom|porkbun|hetzner|vultr|meta|apify|places|hunter|apollo|reacher|zerobounce|anthropic|openai|acme|google|microsoft)(?=\/)/;
  return request.originalUrl.replace(mount, '');
};

const flat = (headers: Request['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function readAnswer(chunk: unknown): unknown {
  if (typeof chunk !== 'string' && !Buffer.isBuffer(chunk)) return undefined;
  if (chunk.length > MAX_LOGGED_LENGTH) return `${chunk.length} bytes`;
  const text = chunk.toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
