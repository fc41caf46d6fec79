/** One route: a schema for validation, types and documentation, and its handler. */
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { RawJson, Reply } from './envelope.ts';
import type { ErrorCode, ErrorStatus } from './error-codes.ts';
import type { Page } from './page.ts';
import type { Streamed } from './stream.ts';
import type { Scope } from './scopes.ts';
import type { User } from './user.ts';

type NoSchema = z.ZodObject<Record<never, never>>;

/** What a handler gets; `user` is undefined on public routes only. */
export interface Input<Params, Query, Body, Caller = User> {
  /** As requested: HEAD requests run GET routes. */
  method: string;
  params: Params;
  query: Query;
  body: Body;
  user: Caller;
  requestId: string;
  headers: IncomingHttpHeaders;
  /** The body as it came, for signatures. */
  rawBody: Buffer;
  /** The client's `Idempotency-Key`, if it sent one. */
  idempotencyKey: string | undefined;
  /** Identifies a request with an `Idempotency-Key`: equal for repeats; 64 characters. */
  requestKey: string | undefined;
  /** Writes the workflow's id into the request's log line. */
  noteWorkflow: (workflowId: string) => void;
}

/** Codes of errors by the status that they come with. */
export type Errors = Readonly<Partial<Record<ErrorStatus, readonly ErrorCode[]>>>;

/** What all routes have in common, whatever their schemas. */
interface RouteFacts {
  /** `clusters.create`: what clients call it, for good. */
  operationId: string;
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** Express form, `/v1/clusters/:id`. Unprefixed and `/v1/clusters` paths are served under both forms. */
  path: string;
  /** Area of the spec; groups the routes in /docs. */
  tag: string;
  /** One line: what it does. */
  summary: string;
  /** Markdown: rules that a client should know. */
  description?: string;
  /** 201 where something is created, else 200. */
  status: 200 | 201;
  /** The answer carries `meta.pagination`. `asked`: only when asked for; `cursor`: the same, and with `nextCursor`. */
  paged?: boolean | 'asked' | 'cursor';
  /** `data` (default): the handler returns `data`. `custom`: it returns the whole body. */
  envelope?: 'data' | 'custom';
  /** Instead of the scope that follows from area and method (`scopeOf`): a privilege, else 401 JWT_REQUIRED. */
  scope?: Scope;
  /**
   * For a POST: it may run again unchanged after its process died. It changes nothing, or finds what it
   * did (by `requestKey`, or because the thing is in its final state). Every other POST makes its change
   * within `commitOnce`.
   */
  repeatable?: true;
  /** A POST that looks up what a GET could tell, as with a long list to look up: its scope is that of reading. */
  reads?: true;
  /** A POST that only looks something up: the audit log has no entry of it. */
  changesNothing?: true;
  /** The codes of its own; those that follow from its kind are in `errorsOf`. */
  errors?: Errors;
  /** The body is not parsed as JSON (signed by its sender, or a file): only `rawBody` is given. */
  rawBody?: boolean;
  /** With `rawBody`: media types of the body beside the JSON that `body` describes. */
  files?: readonly string[];
  /** Largest body, where 1 MB is too little (choice 47). */
  maxBodyBytes?: number;
  /** Media type of a successful answer; default application/json. */
  contentType?: string;
  /** The handler returns a `Page` for people; its 404s are pages, too. */
  page?: boolean;
}

/** A route with its types erased, as lists hold it. */
export interface Route extends RouteFacts {
  public: boolean;
  params: z.ZodObject | undefined;
  query: z.ZodObject | undefined;
  body: z.ZodType | undefined;
  response: z.ZodType;
  // oxlint-disable-next-line typescript/no-explicit-any -- the types were checked in route()
  handler: (input: Input<any, any, any, any>) => unknown;
}

/**
 * Declares a route. `response` is the schema of `data` (of the whole body with `envelope: 'custom'`).
 * The handler returns data, or `reply(data, {message, meta})`, or `paged(rows, query, total)`, or
 * `rawJson(text)`, or `streamed(pages, present)` on GET routes, or a `Page`; it throws an
 * `OutreachError` for everything else.
 */
export function route<
  R extends z.ZodType,
  P extends z.ZodObject = NoSchema,
  Q extends z.ZodObject = NoSchema,
  B extends z.ZodType = NoSchema,
  Public extends boolean = false,
>(
  definition: RouteFacts & {
    /** Answers without a token. The list of such routes is in choice 55. */
    public?: Public;
    params?: P;
    query?: Q;
    body?: B;
    response: R;
    handler: (
      input: Input<z.output<P>, z.output<Q>, z.output<B>, Public extends true ? undefined : User>,
    ) => Promised<
      z.input<R> | Reply<z.input<R>> | RawJson<z.input<R>> | Streamed<z.input<R>> | Page
    >;
  },
): Route {
  return {
    ...definition,
    public: definition.public ?? false,
    params: definition.params,
    query: definition.query,
    body: definition.body,
  };
}

type Promised<T> = T | Promise<T>;

/**
 * Every path under which a route answers, the declared one first. Spec: Versioning. Unprefixed areas
 * answer under /v1 too, and clusters under both forms.
 */
export function pathsOf(path: string): string[] {
  if (/^\/(wallet|api\/keys|clusters)(\/|$)/.test(path)) return [path, `/v1${path}`];
  if (/^\/v1\/clusters(\/|$)/.test(path)) return [path, path.slice('/v1'.length)];
  return [path];
}
