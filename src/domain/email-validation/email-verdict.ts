/** From facts about an address to status, score and reason. Choices 29, 59. */
import type { EmailAddress } from './email-address.ts';
import type { EmailCheck, EmailFacts, EmailStatus } from './email-check.ts';
import { isRoleAddress } from './email-roles.ts';
import { suggestAddress } from './email-typos.ts';

/** The mail route of a domain in DNS: RFC 5321, 5.1 and RFC 7505. */
export type MailRoute = 'found' | 'no_mx' | 'null_mx' | 'dns_failure';

/** Facts about a mailbox; null = unknown. Stored until they expire. */
export interface MailboxFacts {
  status: Exclude<EmailStatus, 'pending'>;
  reason: string;
  mx: boolean | null;
  catchAll: boolean | null;
  smtp: boolean | null;
  fullInbox: boolean | null;
  disabled: boolean | null;
  disposable: boolean | null;
}

/** Lists of free-mail and of disposable domains. */
export interface DomainLists {
  isDisposable(domain: string): boolean;
  isFree(domain: string): boolean;
}

/** Choice 29. */
const SCORES = { valid: 95, catchAll: 60, unknown: 40, disposable: 10, invalid: 0 } as const;
const ROLE_PENALTY = 15;
/** Spec: POST /v1/maps-scraper/runs/:id/import-to-lead-list. `minValidationScore` is 70 by default. */
export const VALID_FROM_SCORE = 70;

/** Risky for reasons other than catch-all or full: should not be written to. */
const HARMFUL = new Set(['disposable', 'spamtrap', 'abuse', 'do_not_mail']);

const NOTHING = { catchAll: null, smtp: null, fullInbox: null, disabled: null, disposable: null };

/** The result of the route alone; undefined where a verifier has to be asked. */
export function factsOfRoute(route: MailRoute, isDisposable: boolean): MailboxFacts | undefined {
  switch (route) {
    case 'no_mx':
    case 'null_mx':
      return { ...NOTHING, status: 'invalid', reason: route, mx: false };
    case 'dns_failure':
      // A failure of our resolver is no fact about the address.
      return { ...NOTHING, status: 'unknown', reason: route, mx: null };
    case 'found':
      // Its mailboxes work for ten minutes only: not worth a verifier's credit.
      return isDisposable
        ? { ...NOTHING, status: 'risky', reason: 'disposable', mx: true, disposable: true }
        : undefined;
  }
}

/**
 * The result of an address's syntax alone; undefined where a verifier has to be asked. An irregular one may
 * exist, but verifiers judge it by the RFC, and many servers do not send to it.
 */
export const factsOfForm = ({ isIrregular }: EmailAddress): MailboxFacts | undefined =>
  isIrregular ? { ...NOTHING, status: 'risky', reason: 'irregular_syntax', mx: true } : undefined;

/** No verifier could be asked, or none knew. */
export const unknownFacts = (reason: string): MailboxFacts => ({
  ...NOTHING,
  status: 'unknown',
  reason,
  mx: true,
});

/** Choice 59: a text that is no address gets a result, not an error. */
export function checkOfNoAddress(text: string, checkedAt: string): EmailCheck {
  const checks: EmailFacts = { ...NOTHING, syntax: false, mx: null, role: null, free: null };
  return {
    email: text.trim(),
    ...scored('invalid', 'syntax', false),
    checks,
    suggestion: null,
    checkedAt,
  };
}

/** The result for an address: from the facts found, and from its own syntax. */
export function checkOf(
  address: EmailAddress,
  facts: MailboxFacts,
  lists: DomainLists,
  checkedAt: string,
): EmailCheck {
  const role = isRoleAddress(address.local);
  const disposable = facts.disposable === true || lists.isDisposable(address.domain);
  const { status, reason, mx, catchAll, smtp, fullInbox, disabled } = facts;
  const free = lists.isFree(address.domain);
  const syntax = !address.isIrregular;
  const checks = { syntax, mx, disposable, role, free, catchAll, smtp, fullInbox, disabled };
  const suggestion = suggestAddress(address);
  return {
    email: address.email,
    ...scored(status, reason, role),
    checks,
    suggestion,
    checkedAt,
  };
}

function scored(status: MailboxFacts['status'], reason: string, role: boolean) {
  const score = Math.max(0, baseScore(status, reason) - (role ? ROLE_PENALTY : 0));
  const isValid = status !== 'invalid' && score >= VALID_FROM_SCORE;
  return { status, score, isValid, reason };
}

function baseScore(status: MailboxFacts['status'], reason: string): number {
  if (status === 'risky') {
    if (HARMFUL.has(reason)) return SCORES.disposable;
    // A full mailbox exists; whether a message arrives is unknown.
    return reason === 'catch_all' ? SCORES.catchAll : SCORES.unknown;
  }
  return SCORES[status];
}
