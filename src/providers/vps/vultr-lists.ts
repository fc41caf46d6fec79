/** Vultr's lists: pages by cursor, and the SSH keys and systems that are looked up in them. */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import type { JsonClient } from '../http-client.ts';
import type { ServerOrder } from './port.ts';

/** The vendor's largest page; the bound on pages only stops an endless loop. */
const PER_PAGE = 500;
const MAX_PAGES = 100;

const meta = z.object({ links: z.object({ next: z.string().nullish() }).nullish() }).nullish();
const system = z.object({ id: z.int(), name: z.string(), arch: z.string() });
const sshKey = z.object({ id: z.string(), name: z.string(), ssh_key: z.string() });
const keyAnswer = z.object({ ssh_key: sshKey });

/** Everything of a list; `name` is its key in the answer. An empty `next` is the end. */
export async function listAll<S extends z.ZodType>(
  client: JsonClient,
  path: string,
  { name, item, query = {} }: { name: string; item: S; query?: Record<string, string> },
): Promise<z.infer<S>[]> {
  const answer = z.object({ [name]: z.array(item), meta });
  const found: z.infer<S>[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked = { ...query, per_page: PER_PAGE, ...(cursor && { cursor }) };
    const call = { method: 'GET', path, query: asked, repeatable: true, answer } as const;
    const body: Record<string, unknown> = await client.send(call);
    found.push(...(body[name] as z.infer<S>[]));
    cursor = meta.parse(body['meta'])?.links?.next ?? undefined;
    if (!cursor) break;
  }
  return found;
}

/** The vendor's id of Debian 12; ids are looked up and never guessed. */
export async function debianId(client: JsonClient): Promise<number> {
  const systems = await listAll(client, '/os', { name: 'os', item: system });
  const debian = systems.find(({ name, arch }) => /^Debian 12\b/.test(name) && arch === 'x64');
  if (debian) return debian.id;
  throw new ProviderError('rejected', 'vultr: there is no Debian 12 in its list of systems', {
    provider: 'vultr',
    operatorHint: 'Vultr no longer offers Debian 12; the mail host needs it.',
  });
}

/** The id of the order's key. Neither names nor keys are unique: what is there is adopted. */
export async function ensureSshKey(client: JsonClient, order: ServerOrder): Promise<string> {
  const keys = await listKeys(client);
  const known = keys.find((key) => sameKey(key.ssh_key, order.sshPublicKey));
  if (known) return known.id;
  const made = await client.send({
    method: 'POST',
    path: '/ssh-keys',
    body: { name: order.name, ssh_key: order.sshPublicKey },
    // A second one costs nothing, and both have the name by which they are deleted.
    repeatable: true,
    answer: keyAnswer,
  });
  return made.ssh_key.id;
}

/** Deletes every key of this name; none is fine. */
export async function deleteSshKeys(client: JsonClient, name: string): Promise<void> {
  for (const key of await listKeys(client)) {
    if (key.name === name) await deleteAt(client, `/ssh-keys/${encodeURIComponent(key.id)}`);
  }
}

/** Deletes what is at the path; already gone is fine. */
export async function deleteAt(client: JsonClient, path: string): Promise<void> {
  const call = { method: 'DELETE', path, repeatable: true, answer: z.unknown() } as const;
  await client.send(call).catch(absent);
}

/** Turns the vendor's 404 into null; anything else stays an error. */
export function absent(error: unknown): null {
  if (error instanceof ProviderError && error.facts.providerCode === '404') return null;
  throw error;
}

const listKeys = (client: JsonClient) =>
  listAll(client, '/ssh-keys', { name: 'ssh_keys', item: sshKey });

/** Compares type and key; the comment behind them does not count. */
const sameKey = (one: string, other: string) => parts(one) === parts(other);
const parts = (key: string) => key.trim().split(/\s+/).slice(0, 2).join(' ');
