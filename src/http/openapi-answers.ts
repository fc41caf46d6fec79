/** What every operation of the document has alike: headers of answers, and errors with their codes. */
import { ERROR_CODES, type ErrorCode, type ErrorStatus } from './error-codes.ts';
import type { Route } from './route.ts';
import { errorsOf } from './route-errors.ts';

const header = (description: string, type: 'integer' | 'string' = 'integer') => ({
  description,
  schema: { type },
});

/** `components.headers`. */
export const headers = {
  'X-Request-Id': header('Names the request, for support', 'string'),
  'X-RateLimit-Limit': header('Requests in the tighter window'),
  'X-RateLimit-Remaining': header('Requests that are left in it'),
  'X-RateLimit-Reset': header('When it ends, in seconds since 1970'),
  'RateLimit-Policy': header('Both windows: `"min";q=100;w=60, "hour";q=1000;w=3600`', 'string'),
  RateLimit: header('What is left in both: `"min";r=99;t=60, "hour";r=999;t=3600`', 'string'),
  'Retry-After': header('Seconds after which the request may succeed'),
  'Idempotent-Replayed': header('`true`: the first answer to this `Idempotency-Key`', 'string'),
};

type Header = keyof typeof headers;

const refs = (names: readonly Header[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const LIMITS: readonly Header[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

/** The headers of a successful answer. */
export const successHeaders = (route: Route) =>
  refs([
    'X-Request-Id',
    ...(route.public ? [] : LIMITS),
    ...(!route.public && route.method === 'post' ? (['Idempotent-Replayed'] as const) : []),
  ]);

/** `components.schemas.Error`. */
export const errorSchema = {
  type: 'object' as const,
  properties: {
    success: { type: 'boolean' as const, enum: [false] },
    error: { type: 'string' as const, description: 'The problem in words' },
    code: { $ref: '#/components/schemas/ErrorCode' },
    details: { type: 'array' as const, items: { type: 'object' as const } },
    requestId: { type: 'string' as const },
  },
  required: ['success', 'error', 'code', 'requestId'],
};

/** `components.schemas.ErrorCode`. */
export const errorCodeSchema = {
  type: 'string' as const,
  enum: Object.keys(ERROR_CODES),
  description:
    'The problem for programs. Codes may be added: treat an unknown one by its status.\n\n' +
    Object.entries(ERROR_CODES)
      .map(([code, words]) => `- \`${code}\`: ${words}`)
      .join('\n'),
};

/** More would make an unreadable name: such an answer stands where it belongs. */
const MAX_SHARED_CODES = 4;

export type ErrorAnswer = ReturnType<typeof errorAnswer>;

/** The errors of an operation; those that several operations may have go into `components`. */
export function errorAnswers(
  route: Route,
  share: (name: string, answer: ErrorAnswer) => { $ref: string },
) {
  const answers = errorsOf(route).map(([status, codes]) => {
    const answer = errorAnswer(status, codes);
    const isShared = codes.length <= MAX_SHARED_CODES;
    return [status, isShared ? share(nameOf(codes), answer) : answer] as const;
  });
  return { ...Object.fromEntries(answers), ...(route.page && { 404: noSuchPage }) };
}

const noSuchPage = {
  description: 'A page for people: the link is not one of ours',
  content: { 'text/html': { schema: { type: 'string' as const } } },
};

/** `['LEAD_NOT_FOUND', 'INVALID_STATE']` -> `LeadNotFoundOrInvalidState`. */
const nameOf = (codes: readonly ErrorCode[]): string =>
  codes
    .map((code) =>
      code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, c: string) => c.toUpperCase()),
    )
    .join('Or');

const errorAnswer = (status: ErrorStatus, codes: readonly ErrorCode[]) => ({
  description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code]}.`).join('\n\n'),
  headers: refs([
    'X-Request-Id',
    ...(status === 429 ? LIMITS : []),
    ...(status === 429 || status === 502 ? (['Retry-After'] as const) : []),
  ]),
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          {
            type: 'object' as const,
            properties: { code: { type: 'string' as const, enum: [...codes] } },
          },
        ],
      },
    },
  },
});
