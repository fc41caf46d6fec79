/**
 * A new system on a server of Hetzner's: `rebuild` keeps the server and its address, and wipes the disk. Its request
 * has no key; each that was taken is an action, and actions are listed.
 */
import { z } from 'zod';
import type { JsonClient } from '../http-client.ts';
import { actionAnswer, actionsAnswer, isRunning } from './hetzner-actions.ts';
import { tooSlow, type ReinstallOrder, type ReinstallView } from './port.ts';

const PROVIDER = 'hetzner';
const COMMAND = 'rebuild_server';

const stateAnswer = z.object({ server: z.object({ status: z.string() }) });

/** States in which nothing is under way. */
const AT_REST = ['running', 'off'];

const pathOf = (id: string) => `/servers/${encodeURIComponent(id)}`;

/** Without user-data in the request, the server's first one would be used again. */
export async function reinstall(
  client: JsonClient,
  image: string,
  id: string,
  { userData, latestStart }: ReinstallOrder,
): Promise<void> {
  if (Date.now() > latestStart) throw tooSlow(PROVIDER);
  await client.send({
    method: 'POST',
    path: `${pathOf(id)}/actions/rebuild`,
    body: { image, user_data: userData },
    repeatable: false,
    answer: actionAnswer,
  });
}

export async function viewReinstalls(client: JsonClient, id: string): Promise<ReinstallView> {
  const get = { method: 'GET', repeatable: true } as const;
  const { server } = await client.send({ ...get, path: pathOf(id), answer: stateAnswer });
  const { actions } = await client.send({
    ...get,
    path: `${pathOf(id)}/actions`,
    query: { sort: 'id:desc', per_page: 50 },
    answer: actionsAnswer,
  });
  const all = actions.filter(({ command }) => command === COMMAND);
  const last = all.reduce((one, other) => (other.id > one.id ? other : one), all[0]!);
  if (last === undefined) return { last: '0', isAtWork: !AT_REST.includes(server.status) };
  const failure = last.status === 'error' ? (last.error?.message ?? 'why is not said') : undefined;
  return {
    last: String(last.id),
    isAtWork: isRunning(last) || !AT_REST.includes(server.status),
    ...(failure !== undefined && { failure }),
  };
}
