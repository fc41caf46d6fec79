/**
 * Hetzner's actions: an answer says only that the work has begun; the action says how it ended
 * (https://docs.hetzner.cloud/reference/cloud#actions).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import type { JsonClient } from '../http-client.ts';

const PROVIDER = 'hetzner';

const action = z.object({
  id: z.int(),
  command: z.string(),
  status: z.enum(['running', 'success', 'error']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type Action = z.infer<typeof action>;

export const isRunning = ({ status }: Action): boolean => status === 'running';

/** The answer of every call that begins an action. */
export const actionAnswer = z.object({ action });
export const actionsAnswer = z.object({ actions: z.array(action) });

/** The first check; each later one waits twice as long as the one before, up to the longest. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 2_000;

/**
 * Waits until the action has ended, at most `limitMs`. Throws `unavailable` where it failed, and `not_ready`
 * where it is still running then: the call that began it may be repeated.
 */
export async function untilEnded(
  client: JsonClient,
  begun: Action,
  limitMs: number,
): Promise<void> {
  const latest = Date.now() + limitMs;
  let seen = begun;
  for (let wait = FIRST_WAIT_MS; seen.status === 'running'; wait *= 2) {
    if (Date.now() + wait > latest) throw stillRunning(seen);
    await sleep(Math.min(wait, LONGEST_WAIT_MS));
    const path = `/actions/${seen.id}`;
    const call = { method: 'GET', path, repeatable: true, answer: actionAnswer } as const;
    seen = (await client.send(call)).action;
  }
  if (seen.status === 'error') throw failed(seen);
}

/** Why the order of this server failed, as `CODE: message`; undefined while it has not failed. */
export async function failureOfOrder(
  client: JsonClient,
  serverId: string,
): Promise<string | undefined> {
  const { actions } = await client.send({
    method: 'GET',
    path: `/servers/${encodeURIComponent(serverId)}/actions`,
    query: { status: 'error' },
    repeatable: true,
    answer: actionsAnswer,
  });
  // Only of the order itself: a failed reverse DNS entry says nothing about the server.
  const error = actions.find(
    ({ command, status }) => status === 'error' && ORDER_COMMANDS.includes(command),
  )?.error;
  return error ? `${error.code}: ${error.message}` : undefined;
}

/** The actions that an order begins. */
const ORDER_COMMANDS = ['create_server', 'start_server'];

const failed = ({ command, error }: Action) =>
  new ProviderError(
    'unavailable',
    `${PROVIDER}: ${command} failed (${error?.message ?? 'why is not said'})`,
    {
      provider: PROVIDER,
      providerCode: error?.code ?? 'action_failed',
    },
  );

const stillRunning = ({ id, command }: Action) =>
  new ProviderError('not_ready', `${PROVIDER}: ${command} is still being done (action ${id})`, {
    provider: PROVIDER,
  });
