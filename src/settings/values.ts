/** Schemas shared by variables of several areas. */
import { z } from 'zod';

export const seconds = z.coerce.number().int().positive();
export const port = z.coerce.number().int().min(0).max(65_535);
/** Comma separated. */
export const list = z
  .string()
  .optional()
  .transform((text) =>
    (text ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );

/** A text that `read` accepts; `form` describes the expected form. */
export const readable = (read: (text: string) => unknown, form: string) =>
  z.string().refine((text) => read(text) !== undefined, form);

/** Names of implemented vendors; `all` by name. */
export const someOf = (all: object) =>
  list.refine((names) => names.every((name) => Object.hasOwn(all, name)), knownOf(all));
/** The name of one of them. */
export const oneOf = (all: object) =>
  z.string().refine((name) => Object.hasOwn(all, name), knownOf(all));
const knownOf = (all: object) => `known are ${Object.keys(all).join(', ')}`;
