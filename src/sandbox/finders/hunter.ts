/** Stand-in of Hunter's API (v2), mounted at /hunter/v2. */
import { Router, type Request } from 'express';
import type { Catalogues } from '../catalogues/stand-in.ts';
import { nameOf, type Contacts, type KnownContact } from '../catalogues/contacts.ts';
import { fold } from '../catalogues/words.ts';
import type { SandboxCore, StandIn } from '../core.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { openFinderAccount, type FinderAccount } from './account.ts';
import {
  authenticate,
  claimed,
  hunterWire,
  limitRate,
  noCredits,
  notFound,
  wrongParameter,
} from './hunter-wire.ts';
import { companyOf, shownAddress, shownFind, shownVerification, typeOf } from './hunter-shown.ts';

/** Addresses of a domain that one credit buys. */
const ADDRESSES_PER_CREDIT = 10;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
/** At these domains everybody asked not to be processed. */
const OPTED_OUT = /^opted-out-/;

export function createHunter(core: SandboxCore, { contacts }: Catalogues): StandIn {
  const account = openFinderAccount(core.store, 'hunter');
  const routes = Router();
  routes.use((_request, _response, next) => {
    account.noteRequest();
    next();
  });
  routes.use(authenticate, limitRate(core.limitPace));
  routes.use(findRoutes(contacts, account), accountRoutes(core, account));
  routes.use((_request, response) => send(response, notFound()));
  return {
    name: 'hunter',
    mount: { path: '/hunter/v2', router: vendorRouter(core, hunterWire, routes) },
    vendorRecords: () => ({ finders: { hunter: account.shown() } }),
  };
}

function findRoutes(contacts: Contacts, account: FinderAccount): Router {
  const router = Router();
  router.get('/domain-search', (request, response) => {
    const domain = domainIn(request);
    if (account.left() <= 0) return send(response, noCredits());
    if (OPTED_OUT.test(domain)) throw claimed();
    const found = withAddress(contacts, domain).filter((contact) => !contact.optedOut);
    const type = textIn(request, 'type');
    const wanted = found.filter((contact) => type === '' || typeOf(contact) === type);
    const limit = numberIn(request, 'limit', { fallback: DEFAULT_LIMIT, max: MAX_LIMIT });
    const offset = numberIn(request, 'offset', { fallback: 0, max: Number.MAX_SAFE_INTEGER });
    const page = wanted.slice(offset, offset + limit);
    const credits = Math.ceil(page.length / ADDRESSES_PER_CREDIT);
    if (credits > 0) account.charge(credits, { domain });
    response.json({
      data: { ...companyOf(domain), pattern: null, emails: page.map(shownAddress) },
      meta: { results: wanted.length, limit, offset, params: { domain, type: type || null } },
    });
  });
  router.get('/email-finder', (request, response) => {
    const domain = domainIn(request);
    const fullName = textIn(request, 'full_name');
    const name = fullName || `${textIn(request, 'first_name')} ${textIn(request, 'last_name')}`;
    if (name.trim() === '') throw wrongParameter('You are missing the first and last name');
    if (account.left() <= 0) return send(response, noCredits());
    const found = withAddress(contacts, domain).find((c) => fold(nameOf(c)) === fold(name.trim()));
    if (found?.optedOut === true || OPTED_OUT.test(domain)) throw claimed();
    if (found !== undefined) account.charge(1, { domain, email: found.email! });
    response.json({ data: shownFind(domain, name.trim(), found), meta: { params: { domain } } });
  });
  return router;
}

function accountRoutes(core: SandboxCore, account: FinderAccount): Router {
  const router = Router();
  router.get('/email-verifier', (request, response) => {
    const email = textIn(request, 'email').toLowerCase();
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw wrongParameter('The email is missing or invalid');
    if (account.left() <= 0) return send(response, noCredits());
    if (isStillWorking(core, email)) {
      const message = 'The verification is still in progress. Please try again later.';
      return send(response, { status: 202, body: { data: { message } } });
    }
    account.charge(1, { email });
    response.json({ data: shownVerification(email), meta: { params: { email } } });
  });
  router.get('/account', (_request, response) => {
    const used = account.spent();
    const calls = { used, available: used + account.left() };
    response.json({
      data: {
        first_name: 'Sandbox',
        last_name: 'Account',
        email: 'account@sandbox.test',
        plan_name: 'Growth',
        plan_level: 2,
        reset_date: '2030-01-01',
        team_id: 1,
        calls,
        requests: { searches: calls, verifications: calls },
      },
    });
  });
  return router;
}

const textIn = (request: Request, name: string): string => {
  const value = request.query[name];
  return typeof value === 'string' ? value.trim() : '';
};

function numberIn(
  request: Request,
  name: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  const text = textIn(request, name);
  const value = text === '' ? fallback : Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw wrongParameter(`The ${name} is invalid: a whole number up to ${max}`);
}

function domainIn(request: Request): string {
  const domain = textIn(request, 'domain')
    .toLowerCase()
    .replace(/^www\./, '');
  if (domain === '') throw wrongParameter('You are missing the domain or company parameter');
  if (/^([^\s@/.]+\.)+[^\s@/.]+$/.test(domain)) return domain;
  throw wrongParameter('The domain supplied is invalid');
}

const withAddress = (contacts: Contacts, domain: string): KnownContact[] =>
  contacts.at('hunter', domain).filter(({ email }) => email != null);

/** `slow-*`: the first request for each gets no answer yet. */
function isStillWorking({ store }: SandboxCore, email: string): boolean {
  if (!email.startsWith('slow-') || store.get('hunter:asked', email) !== undefined) return false;
  store.put('hunter:asked', email, { email });
  return true;
}
