/** Stand-in of Apollo's API (v1), mounted at /apollo/api/v1: a search without addresses, matches. */
import { createHash } from 'node:crypto';
import { Router, type Request } from 'express';
import { keyOf, nameOf, type Contacts, type KnownContact } from '../catalogues/contacts.ts';
import type { Catalogues } from '../catalogues/stand-in.ts';
import { fold } from '../catalogues/words.ts';
import type { SandboxCore, StandIn } from '../core.ts';
import { send, vendorRouter } from '../vendor-router.ts';
import { openFinderAccount, type FinderAccount } from './account.ts';
import { apolloWire, authenticate, failure, limitRate, noCredits, refuse } from './apollo-wire.ts';

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 10;

export function createApollo(core: SandboxCore, { contacts }: Catalogues): StandIn {
  const account = openFinderAccount(core.store, 'apollo');
  const routes = Router();
  routes.use((_request, _response, next) => {
    account.noteRequest();
    next();
  });
  routes.use(authenticate, limitRate(core.limitPace));
  routes.use(searchRoutes(contacts), matchRoutes(contacts, account));
  routes.use((_request, response) => send(response, failure(404, 'Not Found', 'NOT_FOUND')));
  return {
    name: 'apollo',
    mount: { path: '/apollo/api/v1', router: vendorRouter(core, apolloWire, routes) },
    vendorRecords: () => ({ finders: { apollo: account.shown() } }),
  };
}

/** Free, and without addresses; the last name is shown in part. */
function searchRoutes(contacts: Contacts): Router {
  const router = Router();
  router.post('/mixed_people/api_search', (request, response) => {
    const asked = { ...request.query, ...(request.body as Record<string, unknown> | undefined) };
    const domains = [asked['q_organization_domains_list'], asked['q_organization_domains_list[]']]
      .flat()
      .filter((domain) => typeof domain === 'string')
      .map((domain) => domain.toLowerCase().replace(/^www\./, ''));
    if (domains.length === 0)
      throw refuse(422, 'A filter is required: q_organization_domains_list');
    const page = countOf(asked['page'], { name: 'page', fallback: 1, max: 500 });
    const perPage = countOf(asked['per_page'], {
      name: 'per_page',
      fallback: DEFAULT_PER_PAGE,
      max: MAX_PER_PAGE,
    });
    const found = domains
      .flatMap((domain) => contacts.at('apollo', domain))
      .filter((contact) => contact.optedOut !== true && nameOf(contact) !== '');
    const people = found.slice((page - 1) * perPage, page * perPage).map(shownInSearch);
    const totalPages = Math.ceil(found.length / perPage);
    response.json({
      total_entries: found.length,
      people,
      pagination: { page, per_page: perPage, total_entries: found.length, total_pages: totalPages },
    });
  });
  return router;
}

/** One credit when an address comes with the person. */
function matchRoutes(contacts: Contacts, account: FinderAccount): Router {
  const router = Router();
  router.post('/people/match', (request, response) => {
    if (account.left() <= 0) return send(response, noCredits());
    const person = matchOf(contacts, request);
    if (person?.email != null) {
      const { email, domain } = person;
      account.charge(1, { personId: idOf(person), domain, email });
    }
    response.json({ person: person === undefined ? null : shownPerson(person) });
  });
  return router;
}

/** The parameters are in the query; a name needs the company's domain. */
function matchOf(contacts: Contacts, request: Request): KnownContact | undefined {
  const asked = (name: string): string => {
    const value = request.query[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const name = asked('name') || `${asked('first_name')} ${asked('last_name')}`.trim();
  const domain = asked('domain')
    .toLowerCase()
    .replace(/^www\./, '');
  const email = asked('email').toLowerCase();
  const linkedin = asked('linkedin_url');
  if ([asked('id'), email, linkedin, name].every((part) => part === '')) {
    throw refuse(422, 'Parameters to identify a person are required: id, email, name and domain');
  }
  const known = domain === '' ? contacts.all('apollo') : contacts.at('apollo', domain);
  return known
    .filter((contact) => nameOf(contact) !== '' && contact.optedOut !== true)
    .find((contact) => {
      if (asked('id') !== '') return idOf(contact) === asked('id');
      if (email !== '') return contact.email?.toLowerCase() === email;
      if (linkedin !== '') return contact.linkedin === linkedin;
      return fold(nameOf(contact)) === fold(name) && contact.domain === domain;
    });
}

const idOf = (contact: KnownContact): string =>
  createHash('sha256').update(keyOf(contact)).digest('hex').slice(0, 24);

const organizationOf = ({ domain }: KnownContact) => ({
  id: createHash('sha256').update(domain).digest('hex').slice(0, 24),
  name: domain.split('.')[0],
  website_url: `https://${domain}`,
  primary_domain: domain,
});

const shownInSearch = (contact: KnownContact) => ({
  id: idOf(contact),
  first_name: contact.firstName ?? null,
  last_name_obfuscated: obfuscated(contact.lastName ?? ''),
  title: contact.position ?? null,
  has_email: contact.email != null,
  organization: { name: organizationOf(contact).name },
});

/** `Weber` -> `We***r`. */
const obfuscated = (name: string): string => `${name.slice(0, 2)}***${name.slice(-1)}`;

const shownPerson = (contact: KnownContact) => ({
  id: idOf(contact),
  first_name: contact.firstName ?? null,
  last_name: contact.lastName ?? null,
  name: nameOf(contact),
  linkedin_url: contact.linkedin ?? null,
  title: contact.position ?? null,
  email: contact.email ?? null,
  email_status: contact.email == null ? 'unavailable' : (contact.verification ?? 'verified'),
  sanitized_phone: contact.phone ?? null,
  organization: organizationOf(contact),
});

function countOf(
  value: unknown,
  { name, fallback, max }: { name: string; fallback: number; max: number },
): number {
  const count = value === undefined ? fallback : Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw refuse(422, `${name} must be between 1 and ${max}`);
}
