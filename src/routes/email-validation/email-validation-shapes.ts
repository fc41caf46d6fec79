/** Wire shapes of e-mail validation. Choice 29. */
import { z } from 'zod';
import { problemOf } from '../../domain/client-words.ts';
import { EMAIL_VALIDATION_STATUSES } from '../../domain/email-validation/email-validation.ts';
import { timestamp } from '../../http/schemas.ts';
import type {
  getValidation,
  listValidationResults,
} from '../../services/email-validation/email-validation.ts';

export const VALIDATION_RESULT_STATUSES = [
  'valid',
  'risky',
  'invalid',
  'unknown',
  'pending',
] as const;

/** Null = unknown. */
const fact = z.boolean().nullable();

const checks = z.object({
  syntax: z.boolean(),
  mx: fact,
  disposable: fact,
  role: fact,
  free: fact,
  catchAll: fact,
  smtp: fact,
  fullInbox: fact,
  disabled: fact,
});

export const emailCheck = z
  .object({
    email: z.string(),
    status: z.enum(VALIDATION_RESULT_STATUSES),
    score: z.int(),
    isValid: z.boolean(),
    reason: z.string(),
    checks,
    suggestion: z.string().nullable(),
    checkedAt: timestamp,
  })
  .meta({ id: 'EmailCheck' });

export const validation = z
  .object({
    id: z.int(),
    status: z.enum(EMAIL_VALIDATION_STATUSES),
    leadListId: z.int().nullable(),
    total: z.int(),
    checked: z.int(),
    progressPercent: z.int(),
    counts: z.object({
      valid: z.int(),
      risky: z.int(),
      invalid: z.int(),
      unknown: z.int(),
      pending: z.int(),
    }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    completedAt: timestamp.nullable(),
  })
  .meta({ id: 'EmailValidation' });

/** Like a check of one address, with nulls where nothing is known yet. */
export const validationResult = z
  .object({
    email: z.string(),
    status: z.enum(VALIDATION_RESULT_STATUSES),
    score: z.int().nullable(),
    isValid: z.boolean().nullable(),
    reason: z.string().nullable(),
    checks: checks.nullable(),
    suggestion: z.string().nullable(),
    leadId: z.int().nullable(),
    checkedAt: timestamp.nullable(),
    /** When a greylisted address is tried again. */
    nextTryAt: timestamp.nullable(),
  })
  .meta({ id: 'EmailValidationResult' });

type Job = Awaited<ReturnType<typeof getValidation>>;
type Item = Awaited<ReturnType<typeof listValidationResults>>['rows'][number];

export function presentValidation(job: Job): z.input<typeof validation> {
  const { total, valid, risky, invalid, unknown } = job;
  const checked = valid + risky + invalid + unknown;
  return {
    id: job.id,
    status: job.status,
    leadListId: job.lead_list_id,
    total,
    checked,
    progressPercent: total === 0 ? 100 : Math.floor((checked / total) * 100),
    counts: { valid, risky, invalid, unknown, pending: total - checked },
    error: problemOf(job),
    createdAt: job.created_at.toISOString(),
    updatedAt: job.updated_at.toISOString(),
    completedAt: job.completed_at?.toISOString() ?? null,
  };
}

export function presentValidationResult(item: Item): z.input<typeof validationResult> {
  return {
    email: item.email,
    status: item.status ?? 'pending',
    score: item.score,
    isValid: item.is_valid,
    reason: item.reason,
    checks: item.checks,
    suggestion: item.suggestion,
    leadId: item.lead_id,
    checkedAt: item.checked_at?.toISOString() ?? null,
    nextTryAt: item.again_at?.toISOString() ?? null,
  };
}

/** No result in time; the check goes on. */
export function pendingCheck(email: string, now: Date): z.input<typeof emailCheck> {
  const nothing = { mx: null, disposable: null, role: null, free: null, catchAll: null };
  return {
    email: email.trim(),
    status: 'pending',
    score: 40,
    isValid: false,
    reason: 'still_checking',
    checks: { syntax: true, ...nothing, smtp: null, fullInbox: null, disabled: null },
    suggestion: null,
    checkedAt: now.toISOString(),
  };
}
