/** `outreach migrate` by an owner that is no superuser, as most hosted Postgres servers give one. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Client } from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { newDatabase } from '../support/database/unmigrated-database.ts';

/** An empty database whose owner may do nothing but log in. */
async function ownDatabase() {
  const { ownerUrl: superuserUrl, drop } = await newDatabase();
  const url = new URL(superuserUrl);
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`create role ${owner} login password 'owner'`);
  await client.query(`alter database ${url.pathname.slice(1)} owner to ${owner}`);
  const as = (user: string, password: string) => {
    const other = new URL(superuserUrl);
    [other.username, other.password] = [user, password];
    return other.href;
  };
  return {
    ownerUrl: as(owner, 'owner'),
    appUrl: as(`app_of_${owner}`, 'app'),
    close: async () => {
      await client.end();
      await drop();
    },
  };
}

it('says which right the owner lacks', async () => {
  const { ownerUrl, appUrl, close } = await ownDatabase();
  try {
    await expect(migrate({ ownerUrl, appUrl })).rejects.toThrow(
      /DATABASE_OWNER_URL.*permission denied to create role.*CREATEROLE/s,
    );
  } finally {
    await close();
  }
});
