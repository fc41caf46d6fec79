/** Wire shapes of custom fields and of their values. Choice 99. */
import { z } from 'zod';
import {
  CUSTOM_NAME,
  CUSTOM_TYPES,
  MAX_CHOICES,
  MAX_CUSTOM_TEXT,
  type CustomValue,
  type TypedValue,
} from '../../domain/leads/custom-fields.ts';
import { shortText, timestamp } from '../../http/schemas.ts';
import type { CustomFieldRow } from '../../services/leads/custom-fields.ts';

const choices = z
  .array(z.string().trim().min(1).max(MAX_CUSTOM_TEXT))
  .min(1)
  .max(MAX_CHOICES)
  .refine(
    (texts) => new Set(texts.map((text) => text.toLowerCase())).size === texts.length,
    'must not have one twice',
  )
  .nullable()
  .describe('What a text may be, in any case; null: anything.');

export const newCustomField = z
  .object({
    name: z
      .string()
      .regex(CUSTOM_NAME, 'must have small letters, digits and underscores alone, at most 40')
      .describe('For programs and templates, `{{custom.name}}`; it stays.'),
    label: shortText.optional().describe('For people, and a header of files; default: the name.'),
    type: z.enum(CUSTOM_TYPES).describe('It stays.'),
    choices: choices.optional(),
  })
  .refine(({ type, choices: given }) => !given || type === 'text', {
    path: ['choices'],
    message: 'are of a text alone',
  });

export const customFieldChange = z
  .strictObject({ label: shortText.optional(), choices: choices.optional() })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'nothing to change',
  });

export const customField = z
  .object({
    id: z.int(),
    name: z.string(),
    label: z.string(),
    type: z.enum(CUSTOM_TYPES),
    choices: z.array(z.string()).nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'CustomField' });

export const presentCustomField = (row: CustomFieldRow): z.input<typeof customField> => ({
  id: row.id,
  name: row.name,
  label: row.label,
  type: row.type,
  choices: row.choices,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

type Given = Record<string, unknown>;

/** Not `z.record`, which passes over `__proto__` in silence: in a query that would be a filter of nothing. */
const given = z
  .unknown()
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'must be an object',
    abort: true,
  })
  .transform((value) => value as Given);

const VALUE = { type: ['string', 'number', 'boolean'] };

/** Of a new lead. */
export const givenCustom = given
  .meta({
    type: 'object',
    additionalProperties: { type: [...VALUE.type, 'null'] },
    description: 'Custom fields by name: `{"industry": "Bakery"}`. Days are `2026-03-01`.',
  })
  .optional();

/** Of a change. */
export const changedCustom = given
  .meta({
    type: 'object',
    additionalProperties: { type: [...VALUE.type, 'null'] },
    description: 'Custom fields by name; null takes one away, those that are not given stay.',
  })
  .optional();

/** Conditions in a body. */
export const customFilter = given
  .meta({
    type: 'object',
    additionalProperties: VALUE,
    description:
      'Leads with these values alone: `{"industry": "Bakery"}`; numbers and dates also with `employees.min` and `employees.max`.',
  })
  .optional();

/** Conditions in a query: `custom.industry=Bakery`. */
export const customQuery = given
  .meta({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Leads with these values of custom fields alone: `custom.industry=Bakery`, or `custom[industry]=Bakery`; numbers and dates also with `custom.employees.min` and `custom.employees.max`.',
    param: { style: 'deepObject', explode: true },
  })
  .optional();

/** In answers. */
export const shownCustom = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .describe('Custom fields that the lead has a value of, by name.');

export const presentCustom = (values: readonly TypedValue[] | null): Record<string, CustomValue> =>
  Object.fromEntries((values ?? []).map(({ name, value }) => [name, value]));
