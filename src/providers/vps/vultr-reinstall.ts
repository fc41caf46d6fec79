/**
 * A new system on an instance of Vultr's: `reinstall` keeps the instance, its address and its system's kind, and
 * wipes the disk. Nothing lists the requests; the new system boots with the user-data that the instance has then.
 */
import { z } from 'zod';
import type { JsonClient } from '../http-client.ts';
import { tooSlow, type ReinstallOrder, type ReinstallView } from './port.ts';

const PROVIDER = 'vultr';

const stateAnswer = z.object({
  instance: z.object({ status: z.string(), server_status: z.string() }),
});

const pathOf = (id: string) => `/instances/${encodeURIComponent(id)}`;

export async function reinstall(
  client: JsonClient,
  id: string,
  { userData, latestStart }: ReinstallOrder,
): Promise<void> {
  await client.send({
    method: 'PATCH',
    path: pathOf(id),
    body: { user_data: Buffer.from(userData).toString('base64') },
    repeatable: true,
    answer: z.unknown(),
  });
  if (Date.now() > latestStart) throw tooSlow(PROVIDER);
  await client.send({
    method: 'POST',
    path: `${pathOf(id)}/reinstall`,
    // An instance without a name of its own in the request keeps the one that it has.
    body: {},
    repeatable: false,
    answer: z.unknown(),
  });
}

/** It may be shown as `ok` for some seconds after the request. */
export async function viewReinstalls(client: JsonClient, id: string): Promise<ReinstallView> {
  const { instance } = await client.send({
    method: 'GET',
    path: pathOf(id),
    repeatable: true,
    answer: stateAnswer,
  });
  const { status, server_status } = instance;
  const isAtRest = status !== 'pending' && !['locked', 'installingbooting'].includes(server_status);
  return { last: null, isAtWork: !isAtRest };
}
