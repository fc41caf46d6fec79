/** What P4 and `tracing` ask for: a page of clusters, by a user with several keys. */
import type { Pool } from 'undici';
import { openDatabase } from '../src/db/database.ts';
import { insertCluster } from '../src/db/clusters/clusters.ts';
import { insertDomain } from '../src/db/domains/domains.ts';
import { createKey } from '../src/services/accounts/api-keys.ts';

/** How many requests are under way at once. */
export const CONNECTIONS = 32;
export const KEYS = 10;
export const USER = 'bench-user';
const CLUSTERS = 20;

/** Adds the user and the clusters; answers the keys. */
export async function seedPage(url: string): Promise<string[]> {
  const db = openDatabase(url, { poolSize: 2 });
  await db.insertInto('users').values({ user_id: USER, email: 'bench@example.test' }).execute();
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n += 1) {
    const settings = { name: `key ${n}`, ipWhitelist: [], scopes: [], expiresAt: null };
    keys.push((await createKey({ db, config: { OUTREACH_MODE: 'live' } }, USER, settings)).key);
  }
  for (let n = 0; n < CLUSTERS; n += 1) {
    await db.transaction().execute(async (trx) => {
      const name = `bench-${n}.com`;
      const domain = await insertDomain(trx, { userId: USER, name, provider: 'namecom' });
      const place = { domainId: domain!.id, serverId: null, useExistingVps: false };
      await insertCluster(trx, { userId: USER, name, ...place });
    });
  }
  await db.destroy();
  return keys;
}

/** Sends the requests; any refusal ends the run. */
export async function requestPages(pool: Pool, keys: string[], requests: number): Promise<void> {
  let sent = 0;
  const client = async () => {
    while (sent < requests) {
      const authorization = `Bearer ${keys[sent % keys.length]!}`;
      sent += 1;
      const answer = await pool.request({
        method: 'GET',
        path: '/v1/clusters',
        headers: { authorization },
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}
