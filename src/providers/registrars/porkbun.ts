/**
 * Porkbun API v3 (https://porkbun.com/api/json/v3/documentation; document 3.0, live 3.44).
 *
 * Orders are paid with prepaid credit and carry their exact price; there are none over $100, of premium
 * names, or with their own contacts. Idempotency keys live for 24 hours and remember refusals too. The
 * vendor would renew by itself: that is switched off after each purchase. A domain whose API access is
 * off (moved here by a person) cannot be managed: an operator has to turn it on.
 */
import { z } from 'zod';
import { createJsonClient } from '../http-client.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { porkbunQuestions } from './porkbun-account.ts';
import { findOwned, listOwned, stopAutoRenewal } from './porkbun-domains.ts';
import { porkbunRefusal, PROVIDER } from './porkbun-failures.ts';
import { quote, quoteAll } from './porkbun-prices.ts';
import { KEY_WINDOW_MS, register, renew } from './porkbun-purchases.ts';
import {
  createRecord,
  deleteRecord,
  listRecords,
  RECORD_TYPES,
  updateRecord,
} from './porkbun-records.ts';
import type { Registrar } from './port.ts';

const settings = z.object({
  PORKBUN_API_KEY: z.string().min(1),
  PORKBUN_SECRET_API_KEY: z.string().min(1),
  PORKBUN_BASE_URL: z.url().default('https://api.porkbun.com/api/json/v3'),
});

export const porkbun = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['PORKBUN_BASE_URL'],
  ownHosts: ['api.porkbun.com', 'api-ipv4.porkbun.com'],
  // One registration and one check a second; records are less limited.
  limit: { requestsPerSecond: 1, requestsPerActivity: 1 },
  create: createPorkbun,
});

function createPorkbun(config: z.infer<typeof settings>, tools: ProviderTools): Registrar {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.PORKBUN_BASE_URL,
    headers: {
      'x-api-key': config.PORKBUN_API_KEY,
      'x-secret-api-key': config.PORKBUN_SECRET_API_KEY,
    },
    secrets: [config.PORKBUN_API_KEY, config.PORKBUN_SECRET_API_KEY],
    timeoutMs: tools.timeoutMs,
    refused: porkbunRefusal,
  });
  return {
    name: PROVIDER,
    recordTypes: RECORD_TYPES,
    quote: (domain) => quote(client, domain),
    namesAtOnce: 1,
    quoteAll: (domains, withinMs) => quoteAll(client, domains, withinMs),
    async find(domain) {
      const owned = await findOwned(client, domain);
      return owned && { domain, purchasedAt: owned.purchasedAt, expiresAt: owned.expiresAt };
    },
    listDomains: () => listOwned(client),
    stopRenewingItself: (domain) => stopAutoRenewal(client, domain),
    remembersKeysMs: KEY_WINDOW_MS,
    accountQuestions: () => porkbunQuestions(client),
    register: (domain, maxCents, key) => register(client, domain, { maxCents, key }),
    renew: (domain, maxCents, key, expiresAt) =>
      renew(client, { domain, expiresAt }, { maxCents, key }),
    listRecords: (domain) => listRecords(client, domain),
    createRecord: (domain, record) => createRecord(client, domain, record),
    updateRecord: (domain, recordId, record) => updateRecord(client, { domain, recordId }, record),
    deleteRecord: (domain, recordId) => deleteRecord(client, { domain, recordId }),
  };
}
