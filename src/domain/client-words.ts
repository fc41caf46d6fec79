/**
 * Failures as clients see them: by kind, in our words. A vendor's message names the vendor, our state there
 * and our addresses; only operators see it, in the unchanged row. Choice 15.
 */
import { isClientsOwn } from './failures.ts';
import { FAIL_OVER_STEPS, type FailOverStep, type StepProgress } from './operations/operations.ts';

export interface Problem {
  code: string;
  message: string;
}

const REFUSED = 'A provider refused the request for a reason that only an operator can cure.';
const SILENT = 'A provider does not answer.';
const LATE = 'It was not ready within the time that it may take.';

const WORDS: Readonly<Record<string, (subject: string) => string>> = {
  DOMAIN_UNAVAILABLE: (subject) => `${subject} is not available: somebody has registered it.`,
  DOMAIN_REJECTED: (subject) => `The registrar does not accept the order for ${subject}.`,
  PRICE_ABOVE_CAP: (subject) =>
    `${subject} costs more than is allowed: a premium name, or one of an expensive ending.`,
  RENEWAL_ABOVE_CAP: (subject) =>
    `The registrar asks more for ${subject} than was expected; an operator has to decide.`,
  NO_LONGER_WANTED: () => 'Nothing was charged: the recharge was not wanted or not due any more.',
  RECORD_NOT_FOUND: () => 'The record is not there any more.',
  NO_CAPACITY: () => 'No provider has a server to give at the moment.',
  PROVIDER_AUTH: () => REFUSED,
  PROVIDER_REJECTED: () => REFUSED,
  QUOTA_EXCEEDED: () => REFUSED,
  RATE_LIMITED: () => SILENT,
  PROVIDER_UNAVAILABLE: () => SILENT,
  OUTCOME_UNKNOWN: () => 'A provider did not say what became of a request.',
  NOT_READY_YET: () => LATE,
  TIMED_OUT: () => LATE,
  LOST: () => 'The work was lost on the way.',
};

/** `subject` is what the order is about, such as the name of the domain. */
export function clientProblem({ code, message }: Problem, subject = 'What was ordered'): Problem {
  const words = WORDS[code];
  if (words) return { code, message: words(subject) };
  return { code, message: isClientsOwn(code) ? message : 'Something went wrong on our side.' };
}

/** The same for a row; null where nothing failed. */
export const problemOf = (
  row: { error_code: string | null; error_message: string | null },
  subject?: string,
): Problem | null =>
  row.error_code === null
    ? null
    : clientProblem({ code: row.error_code, message: row.error_message ?? '' }, subject);

/** A step's note as clients see it: currently only that another vendor did what the first one refused. */
const NOTES: Readonly<Record<FailOverStep, string>> = {
  domain_purchase: 'The first registrar did not take the order; another one sold the domain.',
  server_create: 'The first provider did not take the order; another one gave the server.',
};

/** Steps as clients see them. The row's notes name the vendors and their messages. */
export const clientSteps = (steps: readonly StepProgress[]): StepProgress[] =>
  steps.map(({ name, state, note }) => {
    const step = FAIL_OVER_STEPS.find((other) => other === name);
    return { name, state, ...(step && note !== undefined && { note: NOTES[step] }) };
  });
