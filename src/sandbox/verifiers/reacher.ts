/** Stand-in of Reacher 0.11, mounted at /reacher. Shapes are those of the vendor's OpenAPI file. */
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { SandboxCore, StandIn } from '../core.ts';
import { openFinderAccount } from '../finders/account.ts';
import { send, vendorRouter, type Answer, type VendorWire } from '../vendor-router.ts';
import { isAddress, isRole, magicVerdict, type MagicVerdict } from './magic-addresses.ts';

export const REACHER_KEY = 'reacher-sandbox-key';

const failure = (status: number, error: string): Answer => ({ status, body: { error } });

const wire: VendorWire = {
  vendor: 'reacher',
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(500, 'Internal server error');
      case 'rate_limited':
        return failure(429, 'Too many requests, throttled: please try again later');
      case 'rejected':
        return failure(402, 'Your monthly credits are used up');
      case 'auth':
        return failure(401, 'Missing or invalid Authorization header');
      case 'malformed':
        return failure(400, 'Failed to parse the request body');
    }
  },
};

export function createReacher(core: SandboxCore): StandIn {
  const account = openFinderAccount(core.store, 'reacher');
  const routes = Router();
  routes.use(authenticate);
  routes.post(['/v0/check_email', '/v1/check_email'], (request, response) => {
    account.noteRequest();
    const { to_email: email } = (request.body ?? {}) as { to_email?: unknown };
    if (typeof email !== 'string') return send(response, wire.answerFor('malformed'));
    if (account.left() <= 0) return send(response, wire.answerFor('rejected'));
    account.charge(1, { email });
    send(response, { status: 200, body: checkOf(email) });
  });
  routes.use((_request, response) => send(response, failure(404, 'Not found')));
  return {
    name: 'reacher',
    mount: { path: '/reacher', router: vendorRouter(core, wire, routes) },
    vendorRecords: () => ({ verifiers: { reacher: account.shown() } }),
  };
}

/** Hosted: `Authorization`; self-hosted: the secret of its configuration. */
function authenticate(request: Request, response: Response, next: NextFunction): void {
  const key = request.get('authorization') ?? request.get('x-reacher-secret');
  if (key === REACHER_KEY) next();
  else send(response, wire.answerFor('auth'));
}

/** `CheckEmailOutput` of the specification. */
function checkOf(email: string) {
  const verdict = isAddress(email) ? magicVerdict(email) : undefined;
  const at = email.lastIndexOf('@');
  const domain = at < 0 ? '' : email.slice(at + 1);
  return {
    input: email,
    is_reachable: reachable(email, verdict),
    misc: {
      is_disposable: verdict === 'disposable',
      is_role_account: isRole(email),
      is_b2c: false,
    },
    mx: {
      accepts_mail: verdict !== undefined,
      records: verdict === undefined ? [] : [`mx.${domain}.`],
    },
    smtp: smtpOf(verdict),
    syntax: {
      domain,
      is_valid_syntax: verdict !== undefined,
      username: at < 0 ? '' : email.slice(0, at),
    },
  };
}

/** Reacher rates role accounts as `risky`, whatever the mailbox is. */
function reachable(email: string, verdict: MagicVerdict | undefined): string {
  if (verdict === undefined || verdict === 'invalid') return 'invalid';
  if (verdict === 'unknown') return 'unknown';
  return verdict === 'valid' && !isRole(email) ? 'safe' : 'risky';
}

function smtpOf(verdict: MagicVerdict | undefined) {
  if (verdict === 'unknown') {
    return { type: 'SmtpError', message: 'io: timed out while talking to the mail exchanger' };
  }
  return {
    can_connect_smtp: verdict !== undefined,
    has_full_inbox: false,
    is_catch_all: verdict === 'catch-all',
    is_deliverable: verdict !== undefined && verdict !== 'invalid',
    is_disabled: false,
  };
}
