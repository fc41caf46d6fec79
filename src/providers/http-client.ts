/** JSON over HTTP for vendors' APIs: one attempt, bounded in time and size, failures as ProviderError. */
import { Agent, request, type Dispatcher } from 'undici';
import type { z } from 'zod';
import { ProviderError } from '../domain/errors.ts';
import { traced } from '../tracing/spans.ts';
import { requestSpan } from '../tracing/vendor-span.ts';
import { networkFailure, requestIdOf, type Refusal } from './http-failures.ts';

/** The largest answer that is read; the longest real one (500 records) is about 200 kB. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** How long a connection may take to open, where the answer's limit is not shorter. */
const MAX_CONNECT_MS = 10_000;

export interface JsonClientOptions {
  provider: string;
  baseUrl: string;
  /** Sent with each request; their values are kept out of every error message. */
  headers: Record<string, string>;
  /** Secrets that an answer might repeat; `***` replaces them in error messages. */
  secrets: readonly string[];
  /** For the whole of one request, connection to last byte. */
  timeoutMs: number;
  /** Turns a refusal into the error that fits the vendor's codes. */
  refused: (refusal: Refusal) => ProviderError;
}

export interface JsonRequest<S extends z.ZodType> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Appended to the base URL; its variable parts are encoded by the caller. */
  path: string;
  query?: Record<string, string | number>;
  body?: object;
  /** Instead of `body`: sent as a form, as OAuth has it. */
  form?: Readonly<Record<string, string>>;
  headers?: Record<string, string>;
  /**
   * False for a request that must not be repeated: when it may have left and no answer came, the
   * outcome is unknown.
   */
  repeatable: boolean;
  answer: S;
  /** Ends the request at once; the signal's own reason is thrown then. */
  signal?: AbortSignal | undefined;
}

export interface JsonClient {
  send<S extends z.ZodType>(call: JsonRequest<S>): Promise<z.infer<S>>;
  /** As `send`, for answers that carry data in their headers (lower-case names). */
  sendForHeaders<S extends z.ZodType>(
    call: JsonRequest<S>,
  ): Promise<{ body: z.infer<S>; headers: Refusal['headers'] }>;
  /** The error for a refusal that came with a 2xx, mapped and redacted like any other. */
  refuse(refusal: Refusal): ProviderError;
}

/**
 * A client for one vendor. It follows no redirects and repeats nothing: Temporal is the one
 * retry layer. Throws only ProviderError, and the reason of a caller's signal that was aborted.
 */
export function createJsonClient(options: JsonClientOptions): JsonClient {
  const agent = new Agent({
    maxResponseSize: MAX_ANSWER_BYTES,
    connect: { timeout: Math.min(MAX_CONNECT_MS, options.timeoutMs) },
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
  });
  const refuse: JsonClient['refuse'] = (refusal) =>
    withoutSecrets(options.refused(refusal), options.secrets);
  const sendForHeaders: JsonClient['sendForHeaders'] = async (call) => {
    const operation = `${call.method} ${call.path}`;
    const raw = await exchange(options, agent, call).catch((error: unknown) => {
      call.signal?.throwIfAborted();
      throw networkFailure(error, { provider: options.provider, operation, ...call });
    });
    const requestId = requestIdOf(raw.headers);
    const body = parseJson(raw.text);
    if (raw.status < 200 || raw.status > 299) {
      const { repeatable } = call;
      throw refuse({ ...raw, body, requestId, repeatable, operation });
    }
    const parsed = call.answer.safeParse(body);
    if (parsed.success) return { body: parsed.data, headers: raw.headers };
    throw notUnderstood(options.provider, { ...call, operation, requestId }, parsed.error);
  };
  return { refuse, sendForHeaders, send: async (call) => (await sendForHeaders(call)).body };
}

async function exchange(options: JsonClientOptions, agent: Agent, call: JsonRequest<z.ZodType>) {
  const url = new URL(options.baseUrl.replace(/\/+$/, '') + call.path);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    url.searchParams.set(name, String(value));
  }
  const [type, body] = bodyOf(call);
  const limit = AbortSignal.timeout(options.timeoutMs);
  const { method } = call;
  return traced(...requestSpan(options.provider, { method, url, isOurs: true }), async (span) => {
    const answer: Dispatcher.ResponseData = await request(url, {
      dispatcher: agent,
      method,
      headers: {
        accept: 'application/json',
        ...(type !== undefined && { 'content-type': type }),
        ...options.headers,
        ...call.headers,
      },
      body,
      signal: call.signal ? AbortSignal.any([limit, call.signal]) : limit,
    });
    span.answered(answer.statusCode);
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text };
  });
}

function bodyOf({
  body,
  form,
}: JsonRequest<z.ZodType>): [type: string | undefined, text: string | null] {
  if (form) return ['application/x-www-form-urlencoded', new URLSearchParams(form).toString()];
  return body === undefined ? [undefined, null] : ['application/json', JSON.stringify(body)];
}

/** Parsed JSON, `null` for an empty body, else the text itself (such as a proxy's error page). */
function parseJson(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * A 2xx that does not match the schema: a read may be repeated; an unsafe request has had its effect.
 */
function notUnderstood(
  provider: string,
  call: { operation: string; repeatable: boolean; requestId: string | undefined },
  error: z.ZodError,
): ProviderError {
  const where = error.issues.map((issue) => issue.path.join('.') || '(root)').join(', ');
  return new ProviderError(
    call.repeatable ? 'unavailable' : 'outcome_unknown',
    `${provider}: the answer to ${call.operation} was not understood at ${where}`,
    {
      provider,
      providerCode: 'unexpected_answer',
      ...(call.requestId !== undefined && { requestId: call.requestId }),
      operatorHint:
        'The API of this provider may have changed; compare its answer with the adapter.',
    },
  );
}

/** Some vendors derive their code from the message, in capitals. */
function withoutSecrets(error: ProviderError, secrets: readonly string[]): ProviderError {
  const hidden = secrets.filter(Boolean).flatMap((secret) => [secret, secret.toUpperCase()]);
  const clean = (text: string) =>
    hidden.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  const { providerCode } = error.facts;
  return new ProviderError(error.kind, clean(error.message), {
    ...error.facts,
    ...(providerCode !== undefined && { providerCode: clean(providerCode) }),
  });
}
