/** Every server of ours at Vultr; ours have the tag `managed-by=outreach`, and their name as a tag. */
import { z } from 'zod';
import type { JsonClient } from '../http-client.ts';
import { MANAGED_BY, type OwnServer } from './port.ts';
import { listAll } from './vultr-lists.ts';

const TAG = `managed-by=${MANAGED_BY}`;
const item = z.object({
  id: z.string().min(1),
  label: z.string(),
  date_created: z.iso.datetime({ offset: true }),
  tags: z.array(z.string()).nullish(),
});

/** A person may have changed the label: the tag that is not `key=value` is the name. */
export async function listOurs(client: JsonClient): Promise<OwnServer[]> {
  const found = await listAll(client, '/instances', {
    name: 'instances',
    item,
    query: { tag: TAG },
  });
  return found
    .filter(({ tags }) => tags?.includes(TAG))
    .map(({ id, label, date_created, tags }) => ({
      id,
      name: tags?.find((tag) => tag.startsWith(`${MANAGED_BY}-`)) ?? label,
      labels: Object.fromEntries((tags ?? []).filter((tag) => tag.includes('=')).map(pairOf)),
      createdAt: new Date(date_created).toISOString(),
    }));
}

function pairOf(tag: string): [string, string] {
  const at = tag.indexOf('=');
  return [tag.slice(0, at), tag.slice(at + 1)];
}
