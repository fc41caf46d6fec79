/** Stand-in of Anthropic's Messages API, mounted at /anthropic. */
import { randomBytes } from 'node:crypto';
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { SandboxCore, StandIn } from '../core.ts';
import { send, vendorRouter, type Answer, type VendorWire } from '../vendor-router.ts';
import { isObject, openModelBooks, SANDBOX_MODEL, schemaProblem, tokensOf } from './books.ts';
import { BROKEN_BODY, verdictOn } from './verdicts.ts';

export const ANTHROPIC_KEY = 'anthropic-sandbox-key';
const VERSION = '2023-06-01';

/** Every other field is refused, as the vendor does. */
const FIELDS = ['model', 'max_tokens', 'system', 'messages', 'output_config', 'metadata', 'stream'];

const id = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

function failure(status: number, type: string, message: string, details?: object): Answer {
  const requestId = id('req');
  const error = { type, message, ...(details && { details }) };
  return {
    status,
    headers: { 'request-id': requestId },
    body: { type: 'error', error, request_id: requestId },
  };
}
const invalid = (message: string) => failure(400, 'invalid_request_error', message);

const wire: VendorWire = {
  vendor: 'anthropic',
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(529, 'overloaded_error', 'Overloaded');
      case 'rate_limited': {
        const limited = failure(
          429,
          'rate_limit_error',
          'This request would exceed your rate limit',
        );
        return { ...limited, headers: { ...limited.headers, 'retry-after': '1' } };
      }
      case 'rejected':
        return failure(429, 'rate_limit_error', 'You have reached your monthly spend limit', {
          error_code: 'enforced_spend_limit_reached',
        });
      case 'auth':
        return failure(401, 'authentication_error', 'invalid x-api-key');
      case 'malformed':
        return invalid('The request body is not valid JSON');
    }
  },
};

export function createAnthropic(core: SandboxCore): StandIn {
  const books = openModelBooks(core.store, 'anthropic');
  const routes = Router();
  routes.use(authenticate);
  routes.get('/v1/models/:model', ({ params }, response) => {
    if (params.model !== SANDBOX_MODEL) return send(response, noModel(params.model));
    const shown = { id: SANDBOX_MODEL, type: 'model', display_name: 'Sandbox model' };
    send(response, { status: 200, body: { ...shown, created_at: '2026-01-01T00:00:00Z' } });
  });
  routes.post('/v1/messages', ({ body }, response) => {
    books.noteRequest();
    const asked = isObject(body) ? body : {};
    const problem = problemOf(asked);
    if (problem) return send(response, problem);
    if (!books.isPaid()) return send(response, invalid(NO_CREDIT));
    const { content } = (asked['messages'] as [{ content: string }])[0];
    const verdict = verdictOn(content);
    books.note(content, verdict.output);
    if (verdict.isBroken) return void response.type('json').send(BROKEN_BODY);
    const reason = verdict.isRefused ? 'refusal' : verdict.isCut ? 'max_tokens' : 'end_turn';
    send(response, {
      status: 200,
      headers: { 'request-id': id('req') },
      body: {
        id: id('msg'),
        type: 'message',
        role: 'assistant',
        model: SANDBOX_MODEL,
        content: [{ type: 'text', text: verdict.output }],
        stop_reason: reason,
        stop_sequence: null,
        usage: { input_tokens: tokensOf(content), output_tokens: tokensOf(verdict.output) },
      },
    });
  });
  routes.use((_request, response) => send(response, failure(404, 'not_found_error', 'Not found')));
  return {
    name: 'anthropic',
    mount: { path: '/anthropic', router: vendorRouter(core, wire, routes) },
    vendorRecords: () => ({ languageModels: { anthropic: books.shown() } }),
  };
}

const NO_CREDIT = 'Your credit balance is too low to access the Anthropic API.';

const noModel = (model: unknown) => failure(404, 'not_found_error', `model: ${String(model)}`);

function authenticate(request: Request, response: Response, next: NextFunction): void {
  if (request.get('x-api-key') !== ANTHROPIC_KEY) send(response, wire.answerFor('auth'));
  else if (request.get('anthropic-version') !== VERSION) {
    send(response, invalid('anthropic-version: header is required'));
  } else next();
}

function problemOf(asked: Record<string, unknown>): Answer | undefined {
  const extra = Object.keys(asked).find((name) => !FIELDS.includes(name));
  if (extra !== undefined) return invalid(`${extra}: Extra inputs are not permitted`);
  if (asked['model'] !== SANDBOX_MODEL) return noModel(asked['model']);
  if (!Number.isInteger(asked['max_tokens'])) return invalid('max_tokens: Field required');
  const { messages, output_config: output } = asked;
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  if (!isObject(first) || first['role'] !== 'user' || typeof first['content'] !== 'string') {
    return invalid('messages: Field required');
  }
  const format = isObject(output) ? output['format'] : undefined;
  if (!isObject(format)) return undefined;
  const problem = schemaProblem(format['schema']);
  return problem === undefined ? undefined : invalid(`output_config.format.schema: ${problem}`);
}
