/**
 * Name.com Core API v1 (https://docs.name.com/api/v1; OpenAPI 1.33).
 *
 * Its idempotency keys live for one hour, so callers call `find` before they buy again; renewals have
 * none, and are looked up in its orders. Its own automatic renewal is declined with the purchase. A purchase whose answer is a 5xx or
 * never comes is `outcome_unknown`: the vendor may have sold the name before it failed. 402 is our
 * account's credit (`quota`), not the client's wallet.
 */
import { z } from 'zod';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { namecomQuestions } from './namecom-account.ts';
import { namecomRefusal } from './namecom-failures.ts';
import { listDomains } from './namecom-list.ts';
import { listOrders } from './namecom-orders.ts';
import { fromRecord, recordAnswer, RECORD_TYPES, toRecord } from './namecom-records.ts';
import {
  domainPath,
  find,
  quote,
  quoteAll,
  register,
  renew,
  whenRefusedWith,
} from './namecom-purchases.ts';
import type { DnsRecord, DnsRecordInput, Registrar } from './port.ts';

const PROVIDER = 'namecom';

/** The vendor's largest page is 1000 records; this bound on pages only stops an endless loop. */
const PER_PAGE = 500;
const MAX_PAGES = 100;

const settings = z.object({
  NAMECOM_USERNAME: z.string().min(1),
  NAMECOM_TOKEN: z.string().min(1),
  NAMECOM_URL: z.url().default('https://api.name.com/core/v1'),
});
type Settings = z.infer<typeof settings>;

const recordsAnswer = z.object({
  records: z.array(recordAnswer).nullish(),
  nextPage: z.int().nullish(),
});

export const namecom = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['NAMECOM_URL'],
  ownHosts: ['api.name.com', 'api.dev.name.com'],
  // Records are written one by one: up to eight requests in one activity, one or two in others.
  limit: { requestsPerSecond: 20, requestsPerActivity: 2 },
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
    quoteAll: (domains) => quoteAll(client, domains),
    find: (domain) => find(client, domain),
    register: (domain, maxCents, key) => register(client, domain, { maxCents, key }),
    renew: (domain, maxCents, key, expiresAt) =>
      renew(client, { domain, expiresAt }, { maxCents, key }),
    renewsWithoutKey: true,
    listOrders: (since, domain) => listOrders(client, since, domain),
    listRecords: (domain) => listRecords(client, domain),
    createRecord: (domain, record) =>
      // Repeatable because callers list and merge first; a lost answer is seen by the next list.
      writeRecord(client, { method: 'POST', path: `${domainPath(domain)}/records` }, record),
    updateRecord: (domain, recordId, record) =>
      writeRecord(client, { method: 'PUT', path: recordPath(domain, recordId) }, record),
    deleteRecord: (domain, recordId) => deleteRecord(client, recordPath(domain, recordId)),
    listDomains: () => listDomains(client),
    accountQuestions: () => namecomQuestions(client),
  };
}

const recordPath = (domain: string, recordId: string) =>
  `${domainPath(domain)}/records/${encodeURIComponent(recordId)}`;

async function writeRecord(
  client: JsonClient,
  call: { method: 'POST' | 'PUT'; path: string },
  record: DnsRecordInput,
): Promise<DnsRecord> {
  const body = toRecord(record);
  return fromRecord(await client.send({ ...call, body, repeatable: true, answer: recordAnswer }));
}

async function deleteRecord(client: JsonClient, path: string): Promise<void> {
  await client
    .send({ method: 'DELETE', path, repeatable: true, answer: z.unknown() })
    .catch(whenRefusedWith('404', null));
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
