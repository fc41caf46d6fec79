/**
 * Name.com Core API v1 (https://docs.name.com/api/v1; OpenAPI 1.33).
 *
 * Its idempotency keys live for one hour, so callers look with `find` before they buy again.
 * A purchase whose answer is a 5xx or never comes is `outcome_unknown`: the vendor may have sold
 * the name before it failed. 402 is our account's credit (`quota`), not the client's wallet.
 */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { centsFromDollars } from './dollars.ts';
import { namecomRefusal } from './namecom-failures.ts';
import { fromRecord, recordAnswer, RECORD_TYPES, toRecord } from './namecom-records.ts';
import type { DnsRecord, DomainQuote, OwnedDomain, Registrar, Registration } from './port.ts';

const PROVIDER = 'namecom';

/** The vendor's largest page is 1000 records; this bound on pages only stops an endless loop. */
const PER_PAGE = 500;
const MAX_PAGES = 100;

/** Registries whose shortest term is not one year; the vendor's price is for that term. */
const TERM_YEARS: Record<string, number> = { ai: 2 };

const settings = z.object({
  NAMECOM_USERNAME: z.string().min(1),
  NAMECOM_TOKEN: z.string().min(1),
  NAMECOM_URL: z.url().default('https://api.name.com/core/v1'),
});
type Settings = z.infer<typeof settings>;

const availabilityAnswer = z.object({
  results: z.array(
    z.object({
      domainName: z.string(),
      purchasable: z.boolean(),
      premium: z.boolean().optional(),
      purchaseType: z.string().optional(),
      purchasePrice: z.number().optional(),
      renewalPrice: z.number().optional(),
    }),
  ),
});
const domainAnswer = z.object({
  domainName: z.string(),
  createDate: z.iso.datetime({ offset: true }),
  expireDate: z.iso.datetime({ offset: true }),
});
const purchaseAnswer = z.object({ domain: domainAnswer, order: z.int(), totalPaid: z.number() });
const recordsAnswer = z.object({
  records: z.array(recordAnswer).nullish(),
  nextPage: z.int().nullish(),
});

export const namecom = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['NAMECOM_URL'],
  ownHosts: ['api.name.com', 'api.dev.name.com'],
  create: createNamecom,
});

function createNamecom(config: Settings, tools: ProviderTools): Registrar {
  const login = `${config.NAMECOM_USERNAME}:${config.NAMECOM_TOKEN}`;
  const basic = Buffer.from(login).toString('base64');
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.NAMECOM_URL,
    headers: { authorization: `Basic ${basic}` },
    secrets: [config.NAMECOM_TOKEN, basic],
    timeoutMs: tools.timeoutMs,
    refused: (refusal) => namecomRefusal(PROVIDER, refusal),
  });
  return {
    name: PROVIDER,
    recordTypes: RECORD_TYPES,
    quote: (domain) => quote(client, domain),
    find: (domain) => find(client, domain),
    register: (domain, maxCents, key) => register(client, domain, { maxCents, key }),
    listRecords: (domain) => listRecords(client, domain),
    createRecord: async (domain, record) => {
      const path = `${domainPath(domain)}/records`;
      // Repeatable because callers list and merge first; a lost answer is seen by the next list.
      const answer = await client.send({
        method: 'POST',
        path,
        body: toRecord(record),
        repeatable: true,
        answer: recordAnswer,
      });
      return fromRecord(answer);
    },
    deleteRecord: (domain, recordId) =>
      client
        .send({
          method: 'DELETE',
          path: `${domainPath(domain)}/records/${encodeURIComponent(recordId)}`,
          repeatable: true,
          answer: z.unknown(),
        })
        .then(() => undefined, absentAs(undefined)),
  };
}

const domainPath = (domain: string) => `/domains/${encodeURIComponent(domain)}`;

/** Only `registration` is asked for: aftermarket and expiring names are another product. */
async function quote(client: JsonClient, domain: string): Promise<DomainQuote> {
  const { results } = await client.send({
    method: 'POST',
    path: '/domains:checkAvailability',
    body: { domainNames: [domain], purchaseType: 'registration' },
    repeatable: true,
    answer: availabilityAnswer,
  });
  const termYears = TERM_YEARS[domain.slice(domain.lastIndexOf('.') + 1)] ?? 1;
  const found = results.find((result) => result.domainName.toLowerCase() === domain);
  const forSale = found?.purchasable && (found.purchaseType ?? 'registration') === 'registration';
  if (!found || !forSale) {
    return { available: false, premium: false, priceCents: null, renewalCents: null, termYears };
  }
  return {
    available: true,
    premium: found.premium ?? false,
    priceCents: centsFromDollars(found.purchasePrice),
    renewalCents: centsFromDollars(found.renewalPrice),
    termYears,
  };
}

async function find(client: JsonClient, domain: string): Promise<OwnedDomain | null> {
  return client
    .send({ method: 'GET', path: domainPath(domain), repeatable: true, answer: domainAnswer })
    .then(owned, absentAs(null));
}

/** The cap is compared with the list price; VAT, where our account pays it, comes on top. */
async function register(
  client: JsonClient,
  domain: string,
  limit: { maxCents: number; key: string },
): Promise<Registration> {
  const offer = await quote(client, domain);
  // Ours already: with the same key the vendor repeats its first answer instead of selling again.
  if (!offer.available && !(await find(client, domain))) {
    throw refusal('DOMAIN_UNAVAILABLE', `${domain} is not available for registration`);
  }
  const price = offer.priceCents;
  if (offer.available && (offer.premium || price === null || price > limit.maxCents)) {
    throw refusal('PRICE_ABOVE_CAP', `${domain} costs more than is allowed for a domain`);
  }
  // No `years`: the vendor takes the shortest term of the registry, which is what was quoted.
  const bought = await client.send({
    method: 'POST',
    path: '/domains',
    headers: { 'X-Idempotency-Key': limit.key },
    body: { domain: { domainName: domain }, purchaseType: 'registration' },
    repeatable: false,
    answer: purchaseAnswer,
  });
  const chargedCents = centsFromDollars(bought.totalPaid) ?? 0;
  return { ...owned(bought.domain), orderRef: String(bought.order), chargedCents };
}

async function listRecords(client: JsonClient, domain: string): Promise<DnsRecord[]> {
  const found: DnsRecord[] = [];
  let page: number | null = 1;
  for (let read = 0; page !== null && read < MAX_PAGES; read += 1) {
    const answer: z.infer<typeof recordsAnswer> = await client.send({
      method: 'GET',
      path: `${domainPath(domain)}/records`,
      query: { page, perPage: PER_PAGE },
      repeatable: true,
      answer: recordsAnswer,
    });
    found.push(...(answer.records ?? []).map(fromRecord));
    // `nextPage` is only there when there is more.
    page = answer.nextPage ?? null;
  }
  return found;
}

const owned = (domain: z.infer<typeof domainAnswer>): OwnedDomain => ({
  domain: domain.domainName.toLowerCase(),
  purchasedAt: new Date(domain.createDate).toISOString(),
  expiresAt: new Date(domain.expireDate).toISOString(),
});

const refusal = (clientCode: string, message: string) =>
  new ProviderError('rejected', message, { provider: PROVIDER, clientCode });

/** Turns the vendor's 404 into `value`; anything else stays an error. */
const absentAs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof ProviderError && error.facts.providerCode === '404') return value;
    throw error;
  };
