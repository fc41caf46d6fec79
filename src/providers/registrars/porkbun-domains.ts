/** The domains of our Porkbun account: finding them, and switching off their automatic renewal. */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import type { JsonClient } from '../http-client.ts';
import { ask, domainPath } from './porkbun-client.ts';
import { PROVIDER } from './porkbun-failures.ts';
import type { OwnedDomain } from './port.ts';

/** The most that one page of `listAll` holds. */
const PAGE = 1_000;
const MAX_PAGES = 100;

/** `2027-01-15 10:00:00`; the vendor names no zone (K: it is UTC). */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?/;

const listAnswer = z.object({
  domains: z.array(
    z.object({
      domain: z.string(),
      createDate: z.string().regex(DATE),
      expireDate: z.string().regex(DATE),
      // A number in the document, a string in older answers.
      autoRenew: z.union([z.string(), z.number()]).nullish(),
    }),
  ),
});
const resultsAnswer = z.object({
  results: z.record(z.string(), z.object({ status: z.string(), message: z.string().nullish() })),
});

/** A domain of the account, and whether the vendor would renew it by itself. */
export interface PorkbunDomain extends OwnedDomain {
  renewsItself: boolean;
}

/**
 * Asks with the filter `domain`, and reads to the last page all the same: where the filter is not
 * supported, the answer is the whole account.
 */
export async function findOwned(client: JsonClient, domain: string): Promise<PorkbunDomain | null> {
  for await (const owned of pages(client, { domain })) {
    const found = owned.find((each) => each.domain === domain);
    if (found) return found;
  }
  return null;
}

export async function listOwned(client: JsonClient): Promise<PorkbunDomain[]> {
  const found: PorkbunDomain[] = [];
  for await (const owned of pages(client, {})) {
    found.push(...owned);
  }
  return found;
}

async function* pages(client: JsonClient, filter: object): AsyncGenerator<PorkbunDomain[]> {
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { domains } = await ask(client, {
      path: '/domain/listAll',
      body: { ...filter, start: page * PAGE },
      repeatable: true,
      answer: listAnswer,
    });
    yield domains.map(({ domain, createDate, expireDate, autoRenew }) => ({
      domain: domain.toLowerCase(),
      purchasedAt: isoOf(createDate),
      expiresAt: isoOf(expireDate),
      renewsItself: Number(autoRenew ?? 0) === 1,
    }));
    if (domains.length < PAGE) return;
  }
}

/** The refusal of a single domain comes inside an answer that says SUCCESS. */
export async function stopAutoRenewal(client: JsonClient, domain: string): Promise<void> {
  const { results } = await ask(client, {
    path: domainPath('/domain/updateAutoRenew', domain),
    body: { status: 'off' },
    repeatable: true,
    answer: resultsAnswer,
  });
  const result = results[domain];
  if (!result || result.status === 'SUCCESS') return;
  throw new ProviderError('rejected', `porkbun: ${domain} goes on renewing itself`, {
    provider: PROVIDER,
    operatorHint: result.message ?? 'Turn the automatic renewal off at porkbun.com.',
  });
}

export function isoOf(date: string): string {
  const [, day, time = '00:00:00'] = DATE.exec(date) ?? [];
  return new Date(`${day}T${time}Z`).toISOString();
}
