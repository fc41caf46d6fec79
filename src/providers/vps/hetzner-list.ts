/** Every server of ours at Hetzner, page by page; ours are those with the label `managed-by`. */
import { z } from 'zod';
import type { JsonClient } from '../http-client.ts';
import { MANAGED_BY, type OwnServer } from './port.ts';

/** The vendor's largest page; the bound on pages only stops an endless loop. */
const PER_PAGE = 50;
const MAX_PAGES = 1_000;

const answer = z.object({
  servers: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      status: z.string(),
      created: z.iso.datetime({ offset: true }),
      labels: z.record(z.string(), z.string()),
    }),
  ),
  meta: z.object({ pagination: z.object({ next_page: z.int().nullish() }) }),
});

/** A server that is being deleted counts as gone. */
export async function listOurs(client: JsonClient): Promise<OwnServer[]> {
  const found: OwnServer[] = [];
  let page: number | null = 1;
  for (let read = 0; page !== null && read < MAX_PAGES; read += 1) {
    const shown: z.infer<typeof answer> = await client.send({
      method: 'GET',
      path: '/servers',
      query: { label_selector: `managed-by=${MANAGED_BY}`, page, per_page: PER_PAGE },
      repeatable: true,
      answer,
    });
    for (const { id, name, status, created, labels } of shown.servers) {
      if (status === 'deleting') continue;
      found.push({ id: String(id), name, labels, createdAt: new Date(created).toISOString() });
    }
    page = shown.meta.pagination.next_page ?? null;
  }
  return found;
}
