/** Checked request bodies and label selectors, as all of Hetzner's resources know them. */
import type { Request } from 'express';
import { z } from 'zod';
import { invalidInput } from './wire.ts';

/** Keys may have a prefix; values are up to 63 characters. */
const LABEL_KEY = /^([a-z0-9.-]{1,253}\/)?[a-z0-9A-Z]([a-z0-9A-Z._-]{0,61}[a-z0-9A-Z])?$/;
const LABEL_VALUE = /^(|[a-z0-9A-Z]|([a-z0-9A-Z][a-z0-9A-Z._-]{0,61}[a-z0-9A-Z]))$/;

export const labelsShape = z.record(z.string().regex(LABEL_KEY), z.string().regex(LABEL_VALUE));

/** The body in its shape, or `invalid_input` with the field's name. */
export function checked<S extends z.ZodType>(shape: S, body: unknown): z.infer<S> {
  const parsed = shape.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidInput(issue?.path.join('.') || 'body', issue?.message ?? 'invalid');
}

/** `label_selector=a=b,c!=d,e,!f`: whether all of its parts hold. */
export function matchesLabels(labels: Record<string, string>, request: Request): boolean {
  const selector = request.query['label_selector'];
  return typeof selector !== 'string' || selector === '' || matchesSelector(labels, selector);
}

export function matchesSelector(labels: Record<string, string>, selector: string): boolean {
  // Commas within `in (a,b)` divide nothing.
  return selector.split(/,(?![^(]*\))/).every((part) => {
    const [, name, isNot, list] = /^\s*(\S+)\s+(not)?in\s*\(([^)]*)\)\s*$/.exec(part) ?? [];
    if (name !== undefined) {
      const values = list!.split(',').map((value) => value.trim());
      return values.includes(labels[name] ?? '') === (isNot === undefined);
    }
    const [, not, key = '', operator, value = ''] =
      /^\s*(!)?([^=!\s]+)\s*(?:(==|=|!=)\s*(\S*))?\s*$/.exec(part) ?? [];
    if (key === '') throw invalidInput('label_selector', 'invalid label selector');
    if (operator === '!=') return labels[key] !== value;
    if (operator !== undefined) return labels[key] === value;
    return Object.hasOwn(labels, key) !== (not === '!');
  });
}
