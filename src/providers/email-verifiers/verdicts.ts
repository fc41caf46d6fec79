/** What every verifier can say, in the port's terms. */
import type { VerifierVerdict } from './port.ts';

type Rest = Partial<Omit<VerifierVerdict, 'status' | 'reason'>>;

const NOTHING = { catchAll: null, smtp: null, fullInbox: null, disabled: null, disposable: null };

const verdict = (
  status: VerifierVerdict['status'],
  reason: string,
  facts: Rest = {},
): VerifierVerdict => ({ status, reason, ...NOTHING, ...facts });

/** The server accepts this address, and not every other one. */
export const mailboxExists = (facts?: Rest) =>
  verdict('valid', 'mailbox_exists', { smtp: true, ...facts });

export const mailboxNotFound = (facts?: Rest) =>
  verdict('invalid', 'mailbox_not_found', { smtp: false, ...facts });

export const mailboxDisabled = () =>
  verdict('invalid', 'mailbox_disabled', { smtp: false, disabled: true });

export const fullInbox = () => verdict('risky', 'full_inbox', { smtp: false, fullInbox: true });

export const catchAll = () => verdict('risky', 'catch_all', { smtp: true, catchAll: true });

/** `reason`: `disposable`, `spamtrap`, `abuse`, `do_not_mail`. */
export const harmful = (reason: string) =>
  verdict('risky', reason, reason === 'disposable' ? { disposable: true } : {});

export const badSyntax = () => verdict('invalid', 'syntax');

/**
 * No verdict is possible now: `greylisted`, `temporary_failure`, `unreachable`, `probe_refused`, ...
 */
export const unknown = (reason: string, facts?: Rest) => verdict('unknown', reason, facts);
