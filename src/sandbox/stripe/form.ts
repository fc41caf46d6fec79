/** How Stripe parses a form: known parameters only, strings converted to their types. */
import type { Request } from 'express';
import type { z } from 'zod';
import { refuse } from './wire.ts';

/** The parameters, or Stripe's 400 that names the first wrong one. */
export function parseForm<S extends z.ZodType>(schema: S, request: Request): z.infer<S> {
  const given = request.method === 'GET' ? request.query : ((request.body ?? {}) as unknown);
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const param = bracketed([...path, issue.keys[0]!]);
    throw refuse(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = bracketed(path);
  if (issue.input === undefined) {
    throw refuse(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  throw refuse(400, `Invalid ${param}: ${issue.message}`, { param });
}

/** `['line_items', '0', 'quantity']` -> `line_items[0][quantity]`. */
const bracketed = ([first = '', ...rest]: string[]): string =>
  `${first}${rest.map((part) => `[${part}]`).join('')}`;
