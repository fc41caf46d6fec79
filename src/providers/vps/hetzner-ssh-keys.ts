/** SSH keys at Hetzner: one for each server, of the same name, unique in a project by its content. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import type { JsonClient } from '../http-client.ts';
import type { ServerOrder } from './port.ts';

const sshKey = z.object({ id: z.int(), name: z.string(), fingerprint: z.string() });
const keyAnswer = z.object({ ssh_key: sshKey });
const keysAnswer = z.object({ ssh_keys: z.array(sshKey) });

/** Answers the id of the order's key; the key that is there already is adopted. */
export async function ensureSshKey(client: JsonClient, order: ServerOrder): Promise<number> {
  const fingerprint = fingerprintOf(order.sshPublicKey);
  const known = await findKeys(client, { fingerprint });
  if (known[0]) return known[0].id;
  try {
    const made = await client.send({
      method: 'POST',
      path: '/ssh_keys',
      body: { name: order.name, public_key: order.sshPublicKey, labels: order.labels },
      // A key costs nothing and a repeat finds it by its fingerprint.
      repeatable: true,
      answer: keyAnswer,
    });
    return made.ssh_key.id;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.facts.providerCode !== 'uniqueness_error') throw error;
    const [taken] = await findKeys(client, { fingerprint });
    if (taken) return taken.id;
    // The name belongs to another key: the caller lost the key of an earlier attempt.
    await deleteSshKey(client, order.name);
    throw new ProviderError('unavailable', `hetzner: replaced the stale key ${order.name}`, {
      provider: 'hetzner',
      providerCode: 'uniqueness_error',
    });
  }
}

/** Deletes every key of this name; none is fine. */
export async function deleteSshKey(client: JsonClient, name: string): Promise<void> {
  for (const key of await findKeys(client, { name })) {
    const path = `/ssh_keys/${key.id}`;
    await client
      .send({ method: 'DELETE', path, repeatable: true, answer: z.unknown() })
      .catch((error: unknown) => {
        if (error instanceof ProviderError && error.facts.providerCode === 'not_found') return;
        throw error;
      });
  }
}

async function findKeys(client: JsonClient, query: { name: string } | { fingerprint: string }) {
  const call = { method: 'GET', path: '/ssh_keys', query, repeatable: true } as const;
  return (await client.send({ ...call, answer: keysAnswer })).ssh_keys;
}

/** The MD5 form `aa:bb:...` by which Hetzner looks up keys. */
function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  const digest = createHash('md5').update(blob).digest('hex');
  return (digest.match(/../g) ?? []).join(':');
}
