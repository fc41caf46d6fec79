/** Everything that a request does knows its id, and is part of its trace where tracing is on. */
import type { RequestHandler, Response } from 'express';
import { withOrigin } from '../tracing/origin.ts';
import { startSpan, type StartedSpan } from '../tracing/spans.ts';

/** For methods of our own making: a name of a span must have few values. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * Comes after the request has its id. A client's `traceparent` is noted and not followed: anybody could write into
 * a trace, or have all of theirs recorded. `/health` is polled too often.
 */
export const traceRequest: RequestHandler = (request, response, next) => {
  const { locals } = response;
  const requestId = locals.requestId as string;
  const given = request.headers['traceparent'];
  const method = METHODS.has(request.method) ? request.method : 'other';
  const span = request.url.startsWith('/health')
    ? undefined
    : startSpan(method, {
        kind: 'SERVER',
        parent: 'root',
        link: typeof given === 'string' ? given : undefined,
        attributes: { 'http.request.method': method, 'outreach.request_id': requestId },
      });
  if (!span) {
    withOrigin({ requestId }, next);
    return;
  }
  locals.traceId = span.traceId;
  if (span.isKept) tellOfAnswer(span, method, response);
  span.run(next, { requestId });
};

/** When the answer has been sent, or its client has gone. */
function tellOfAnswer(span: StartedSpan, method: string, response: Response): void {
  response.once('close', () => {
    const { statusCode, writableFinished } = response;
    const route = response.locals.route as string | undefined;
    const failure =
      statusCode >= 500 ? String(statusCode) : writableFinished ? undefined : 'aborted';
    span.rename(`${method} ${route ?? 'none'}`);
    span.set({
      'http.response.status_code': statusCode,
      ...(route && { 'http.route': route }),
    });
    if (failure !== undefined) span.fail(failure);
    span.end();
  });
}
