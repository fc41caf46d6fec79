/** Stand-in of ZeroBounce's API v2, mounted at /zerobounce/v2: the single and the batch host in one. */
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { SandboxCore, StandIn } from '../core.ts';
import { openFinderAccount, type FinderAccount } from '../finders/account.ts';
import { send, vendorRouter, type Answer, type VendorWire } from '../vendor-router.ts';
import { isAddress, isRole, magicVerdict } from './magic-addresses.ts';

export const ZEROBOUNCE_KEY = 'zerobounce-sandbox-key';

const MAX_BATCH = 200;

/** The vendor's one sentence for both, with status 200. */
const NO_KEY_OR_CREDITS = 'Invalid API key or your account ran out of credits';

const failure = (status: number, error: string): Answer => ({ status, body: { error } });

const wire: VendorWire = {
  vendor: 'zerobounce',
  isLookUp: (request) => request.path.endsWith('/getcredits'),
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(500, 'Internal server error');
      case 'rate_limited':
        return failure(429, 'Too many requests');
      case 'rejected':
      case 'auth':
        return failure(200, NO_KEY_OR_CREDITS);
      case 'malformed':
        return failure(400, 'Invalid request');
    }
  },
};

export function createZerobounce(core: SandboxCore): StandIn {
  const account = openFinderAccount(core.store, 'zerobounce');
  const routes = Router();
  routes.use((request, _response, next) => {
    if (!request.path.endsWith('/getcredits')) account.noteRequest();
    next();
  });
  routes.get('/getcredits', (request, response) => {
    const isKnown = request.query['api_key'] === ZEROBOUNCE_KEY;
    response.json({ Credits: isKnown ? String(account.left()) : '-1' });
  });
  routes.get(
    '/validate',
    pays(account, ({ query }) => query),
    (request, response) => {
      response.json(charged(account, textOf(request.query['email'])));
    },
  );
  routes.post(
    '/validatebatch',
    pays(account, ({ body }) => body as Given),
    (request, response) => {
      const { email_batch: batch } = request.body as { email_batch?: unknown };
      if (!Array.isArray(batch) || batch.length === 0 || batch.length > MAX_BATCH) {
        const errors = [{ error: 'Invalid batch size', email_address: 'all' }];
        return void response.json({ email_batch: [], errors });
      }
      const emails = batch.map((one: { email_address?: unknown }) => textOf(one.email_address));
      response.json({ email_batch: emails.map((email) => charged(account, email)), errors: [] });
    },
  );
  routes.use((_request, response) => send(response, failure(404, 'Not found')));
  return {
    name: 'zerobounce',
    mount: { path: '/zerobounce/v2', router: vendorRouter(core, wire, routes) },
    vendorRecords: () => ({ verifiers: { zerobounce: account.shown() } }),
  };
}

type Given = Record<string, unknown>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The key is in the query, or in the body of a batch. */
const pays =
  (account: FinderAccount, given: (request: Request) => Given) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const isKnown = given(request)?.['api_key'] === ZEROBOUNCE_KEY;
    if (isKnown && account.left() > 0) next();
    else send(response, failure(200, NO_KEY_OR_CREDITS));
  };

/** `unknown` costs nothing. */
function charged(account: FinderAccount, email: string) {
  const result = resultOf(email);
  if (result.status !== 'unknown') account.charge(1, { email });
  return result;
}

function resultOf(email: string) {
  const [status, sub_status] = wordsFor(email);
  const [account = null, domain = null] = email.split('@');
  return {
    address: email,
    status,
    sub_status,
    free_email: false,
    did_you_mean: null,
    account,
    domain,
    domain_age_days: '9692',
    smtp_provider: 'example',
    mx_found: status === 'invalid' ? 'false' : 'true',
    mx_record: `mx.${domain}`,
    firstname: null,
    lastname: null,
    gender: null,
    country: null,
    region: null,
    city: null,
    zipcode: null,
    processed_at: new Date().toISOString().replace('T', ' ').replace('Z', ''),
  };
}

/** The vendor's own test addresses, then those of the world. */
const TEST_ADDRESSES: Readonly<Record<string, readonly [string, string]>> = {
  'valid@example.com': ['valid', ''],
  'invalid@example.com': ['invalid', 'mailbox_not_found'],
  'catch_all@example.com': ['catch-all', ''],
  'unknown@example.com': ['unknown', 'mail_server_temporary_error'],
  'spamtrap@example.com': ['spamtrap', ''],
  'abuse@example.com': ['abuse', ''],
  'donotmail@example.com': ['do_not_mail', 'role_based'],
  'disposable@example.com': ['do_not_mail', 'disposable'],
  'toxic@example.com': ['do_not_mail', 'toxic'],
  'greylisted@example.com': ['unknown', 'greylisted'],
  'antispam_system@example.com': ['unknown', 'antispam_system'],
  'mailbox_quota_exceeded@example.com': ['invalid', 'mailbox_quota_exceeded'],
  'mailbox_not_found@example.com': ['invalid', 'mailbox_not_found'],
  'no_dns_entries@example.com': ['invalid', 'no_dns_entries'],
  'failed_syntax_check@example.com': ['invalid', 'failed_syntax_check'],
  'role_based@example.com': ['do_not_mail', 'role_based'],
  'role_based_catch_all@example.com': ['do_not_mail', 'role_based_catch_all'],
  'timeout_exceeded@example.com': ['unknown', 'timeout_exceeded'],
};

function wordsFor(email: string): readonly [string, string] {
  const known = TEST_ADDRESSES[email.toLowerCase()];
  if (known) return known;
  if (!isAddress(email)) return ['invalid', 'failed_syntax_check'];
  switch (magicVerdict(email)) {
    case 'invalid':
      return ['invalid', 'mailbox_not_found'];
    case 'unknown':
      return ['unknown', 'mail_server_did_not_respond'];
    case 'disposable':
      return ['do_not_mail', 'disposable'];
    case 'catch-all':
      return ['catch-all', ''];
    case 'valid':
      return isRole(email) ? ['do_not_mail', 'role_based'] : ['valid', ''];
  }
}
