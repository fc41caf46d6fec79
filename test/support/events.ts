/** What clients are told of a resource (`maps_run/7`), oldest first. */
import type { Kysely } from 'kysely';
import type { Database } from '../../src/db/tables.ts';

export const eventsOf = (db: Kysely<Database>, resource: string) =>
  db
    .selectFrom('events')
    .select(['type', 'payload'])
    .where('resource', '=', resource)
    .orderBy('id')
    .execute();
