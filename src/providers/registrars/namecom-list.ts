/** Every domain of our account at Name.com, page by page. */
import { z } from 'zod';
import type { JsonClient } from '../http-client.ts';
import type { OwnedDomain } from './port.ts';

/** The vendor's largest page is 1000; the bound on pages only stops an endless loop. */
const PER_PAGE = 500;
const MAX_PAGES = 1_000;

const answer = z.object({
  domains: z
    .array(
      z.object({
        domainName: z.string(),
        createDate: z.iso.datetime({ offset: true }),
        expireDate: z.iso.datetime({ offset: true }),
      }),
    )
    .nullish(),
  nextPage: z.int().nullish(),
});

export async function listDomains(client: JsonClient): Promise<OwnedDomain[]> {
  const found: OwnedDomain[] = [];
  let page: number | null = 1;
  for (let read = 0; page !== null && read < MAX_PAGES; read += 1) {
    const shown: z.infer<typeof answer> = await client.send({
      method: 'GET',
      path: '/domains',
      query: { page, perPage: PER_PAGE },
      repeatable: true,
      answer,
    });
    for (const { domainName, createDate, expireDate } of shown.domains ?? []) {
      found.push({
        domain: domainName.toLowerCase(),
        purchasedAt: new Date(createDate).toISOString(),
        expiresAt: new Date(expireDate).toISOString(),
      });
    }
    // `nextPage` is only there when there is more.
    page = shown.nextPage ?? null;
  }
  return found;
}
