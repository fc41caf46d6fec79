/** What ZeroBounce's `status` and `sub_status` mean in our codes. */
import type { VerifierVerdict } from './port.ts';
import {
  badSyntax,
  catchAll,
  fullInbox,
  harmful,
  mailboxExists,
  mailboxNotFound,
  unknown,
} from './verdicts.ts';

interface Result {
  status: string;
  sub_status?: string | null | undefined;
}

/** A code that is new to us is `unknown`. */
export function zerobounceVerdict({ status, sub_status }: Result): VerifierVerdict {
  const sub = sub_status ?? '';
  switch (status) {
    case 'valid':
      return mailboxExists({ catchAll: false });
    case 'catch-all':
      return catchAll();
    case 'spamtrap':
    case 'abuse':
      return harmful(status);
    case 'do_not_mail':
      return doNotMail(sub);
    case 'invalid':
      return invalid(sub);
    default:
      return unknown(UNKNOWN[sub] ?? 'no_answer');
  }
}

function doNotMail(sub: string): VerifierVerdict {
  // They do not advise against the address, only against its kind, for which we have our own penalty.
  if (sub === 'role_based') return mailboxExists({ catchAll: false });
  if (sub === 'role_based_catch_all') return catchAll();
  return harmful(sub === 'disposable' ? sub : 'do_not_mail');
}

function invalid(sub: string): VerifierVerdict {
  if (sub === 'failed_syntax_check') return badSyntax();
  if (sub === 'mailbox_quota_exceeded') return fullInbox();
  // Our own resolver has found a route there, which contradicts them.
  if (sub === 'no_dns_entries' || sub === 'unroutable_ip_address') return unknown('unreachable');
  return mailboxNotFound();
}

const UNKNOWN: Readonly<Record<string, string>> = {
  greylisted: 'greylisted',
  antispam_system: 'probe_refused',
  mail_server_temporary_error: 'temporary_failure',
  mail_server_did_not_respond: 'unreachable',
  failed_smtp_connection: 'unreachable',
  timeout_exceeded: 'unreachable',
  forcible_disconnect: 'temporary_failure',
};
