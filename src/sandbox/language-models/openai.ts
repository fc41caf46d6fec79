/** Stand-in of OpenAI's Chat Completions API, mounted at /openai/v1. */
import { randomBytes } from 'node:crypto';
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { SandboxCore, StandIn } from '../core.ts';
import { send, vendorRouter, type Answer, type VendorWire } from '../vendor-router.ts';
import { isObject, openModelBooks, SANDBOX_MODEL, schemaProblem, tokensOf } from './books.ts';
import { BROKEN_BODY, verdictOn, type Verdict } from './verdicts.ts';

export const OPENAI_KEY = 'openai-sandbox-key';

function failure(status: number, type: string, message: string, code: string | null): Answer {
  const headers = { 'x-request-id': `req_${randomBytes(16).toString('hex')}` };
  return { status, headers, body: { error: { message, type, param: null, code } } };
}
const invalid = (message: string) => failure(400, 'invalid_request_error', message, null);

const wire: VendorWire = {
  vendor: 'openai',
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(503, 'server_error', 'The engine is currently overloaded', null);
      case 'rate_limited': {
        const limited = failure(429, 'requests', 'Rate limit reached', 'rate_limit_exceeded');
        return { ...limited, headers: { ...limited.headers, 'retry-after': '1' } };
      }
      case 'rejected':
        return outOfQuota();
      case 'auth':
        return failure(401, 'invalid_request_error', 'Incorrect API key', 'invalid_api_key');
      case 'malformed':
        return invalid('We could not parse the JSON body of your request.');
    }
  },
};

export function createOpenai(core: SandboxCore): StandIn {
  const books = openModelBooks(core.store, 'openai');
  const routes = Router();
  routes.use(authenticate);
  routes.get('/models/:model', ({ params }, response) => {
    if (params.model !== SANDBOX_MODEL) return send(response, noModel(params.model));
    const body = {
      id: SANDBOX_MODEL,
      object: 'model',
      created: 1_767_225_600,
      owned_by: 'sandbox',
    };
    send(response, { status: 200, body });
  });
  routes.post('/chat/completions', ({ body }, response) => {
    books.noteRequest();
    const asked = isObject(body) ? body : {};
    const problem = problemOf(asked);
    if (problem) return send(response, problem);
    if (!books.isPaid()) return send(response, outOfQuota());
    const content = userContent(asked['messages'])!;
    const verdict = verdictOn(content);
    books.note(content, verdict.output);
    if (verdict.isBroken) return void response.type('json').send(BROKEN_BODY);
    send(response, { status: 200, body: completionOf(content, verdict) });
  });
  routes.use((_request, response) =>
    send(response, failure(404, 'invalid_request_error', 'Invalid URL', null)),
  );
  return {
    name: 'openai',
    mount: { path: '/openai/v1', router: vendorRouter(core, wire, routes) },
    vendorRecords: () => ({ languageModels: { openai: books.shown() } }),
  };
}

const outOfQuota = () =>
  failure(429, 'insufficient_quota', 'You exceeded your current quota', 'insufficient_quota');

const noModel = (model: unknown) =>
  failure(
    404,
    'invalid_request_error',
    `The model ${String(model)} does not exist`,
    'model_not_found',
  );

function authenticate(request: Request, response: Response, next: NextFunction): void {
  if (request.get('authorization') === `Bearer ${OPENAI_KEY}`) next();
  else send(response, wire.answerFor('auth'));
}

function problemOf(asked: Record<string, unknown>): Answer | undefined {
  if (asked['model'] !== SANDBOX_MODEL) return noModel(asked['model']);
  if ('max_tokens' in asked) return invalid("Use 'max_completion_tokens' instead of 'max_tokens'.");
  if (userContent(asked['messages']) === undefined) return invalid('messages: a user has to speak');
  const format = isObject(asked['response_format']) ? asked['response_format'] : {};
  if (format['type'] !== 'json_schema') return undefined;
  const given = isObject(format['json_schema']) ? format['json_schema'] : {};
  if (typeof given['name'] !== 'string')
    return invalid('response_format.json_schema.name is missing');
  const problem = given['strict'] === true ? schemaProblem(given['schema']) : undefined;
  return problem === undefined
    ? undefined
    : invalid(`Invalid schema for response_format: ${problem}`);
}

function userContent(messages: unknown): string | undefined {
  const all: unknown[] = Array.isArray(messages) ? messages : [];
  const last = all.filter(isObject).findLast(({ role }) => role === 'user');
  return typeof last?.['content'] === 'string' ? last['content'] : undefined;
}

function completionOf(content: string, { output, isCut, isRefused }: Verdict) {
  const message = isRefused
    ? { role: 'assistant', content: null, refusal: output }
    : { role: 'assistant', content: output, refusal: null };
  const [prompt, completion] = [tokensOf(content), tokensOf(output)];
  return {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model: SANDBOX_MODEL,
    choices: [{ index: 0, message, logprobs: null, finish_reason: isCut ? 'length' : 'stop' }],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  };
}
