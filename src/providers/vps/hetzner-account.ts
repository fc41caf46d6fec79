/** What Hetzner tells of our project without an order. */
import { generateKeyPairSync } from 'node:crypto';
import { z } from 'zod';
import { fine, type AccountQuestion } from '../../domain/operations/account-questions.ts';
import type { JsonClient } from '../http-client.ts';
import { orderProblems, type HetznerOrder } from './hetzner-catalogue.ts';
import { firewallAnswer } from './hetzner-firewalls.ts';
import { deleteSshKey, ensureSshKey } from './hetzner-ssh-keys.ts';
import { catalogueAnswer } from './order-questions.ts';
import { MANAGED_BY } from './port.ts';

const countAnswer = z.object({
  meta: z.object({ pagination: z.object({ total_entries: z.int().nullish() }) }),
});

/** Of the key that shows that the token may write; it is deleted at once. */
const TRIAL_KEY = 'outreach-doctor-trial';

export function hetznerQuestions(client: JsonClient, order: HetznerOrder): AccountQuestion[] {
  const { HETZNER_SERVER_TYPE: type, HETZNER_IMAGE: image, HETZNER_LOCATION: place } = order;
  const servers = () => countServers(client);
  return [
    {
      name: 'token',
      ask: async () => fine(`taken; the project has ${await servers()} servers`),
    },
    { name: 'permission to write', ask: () => tryToWrite(client) },
    {
      name: 'server type, location, image',
      ask: async () =>
        catalogueAnswer(await orderProblems(client, order), `${type} with ${image} in ${place}`),
    },
    { name: 'firewalls', ask: () => firewallAnswer(client) },
    {
      name: 'limit of servers',
      ask: async () => ({
        state: 'not_askable',
        found: `${await servers()} are in use; the limit is told in the console and by --order alone`,
      }),
    },
  ];
}

async function countServers(client: JsonClient): Promise<number | string> {
  const { meta } = await client.send({
    method: 'GET',
    path: '/servers',
    query: { per_page: 1 },
    repeatable: true,
    answer: countAnswer,
  });
  return meta.pagination.total_entries ?? 'some';
}

/** A token that may only read is refused by the first thing that writes: an SSH key costs nothing. */
async function tryToWrite(client: JsonClient) {
  await deleteSshKey(client, TRIAL_KEY);
  const order = { name: TRIAL_KEY, labels: { 'managed-by': MANAGED_BY }, userData: '' };
  try {
    await ensureSshKey(client, { ...order, sshPublicKey: nobodysKey() });
  } finally {
    await deleteSshKey(client, TRIAL_KEY);
  }
  return fine('the token may read and write (a key was made and deleted)');
}

/** A public key in OpenSSH form whose private half is forgotten. RFC 8709, section 4. */
function nobodysKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  const part = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const blob = Buffer.concat([part(Buffer.from('ssh-ed25519')), part(raw)]);
  return `ssh-ed25519 ${blob.toString('base64')} outreach-doctor`;
}

const hourly = z.object({
  location: z.string(),
  price_hourly: z.object({ net: z.string() }).nullish(),
});
const pricingAnswer = z.object({
  pricing: z.object({
    currency: z.string(),
    server_types: z.array(z.object({ name: z.string(), prices: z.array(hourly) })),
    primary_ips: z.array(z.object({ type: z.string(), prices: z.array(hourly) })).nullish(),
  }),
});

/** The server and its IPv4 address. */
export async function hourPrice(client: JsonClient, order: HetznerOrder): Promise<string> {
  const call = { method: 'GET', path: '/pricing', repeatable: true } as const;
  const { pricing } = await client.send({ ...call, answer: pricingAnswer });
  const at = (prices: z.infer<typeof hourly>[] | undefined) =>
    prices?.find(({ location }) => location === order.HETZNER_LOCATION)?.price_hourly?.net;
  const type = pricing.server_types.find(({ name }) => name === order.HETZNER_SERVER_TYPE);
  const address = pricing.primary_ips?.find(({ type: kind }) => kind === 'ipv4');
  const server = at(type?.prices);
  if (server === undefined) return 'an unknown price';
  return `${(Number(server) + Number(at(address?.prices) ?? 0)).toFixed(4)} ${pricing.currency}`;
}
