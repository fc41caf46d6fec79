/**
 * A value that the planner does not look at, so that it plans the statement alike for any: a named one (`round-trips.ts`) is
 * then planned once per connection. Otherwise Postgres plans it for the length of each array and the age of each time,
 * which takes longer than its reading.
 */
import { sql, type RawBuilder } from 'kysely';

export const samePlan = <T>(
  value: T,
  type: 'bigint[]' | 'smallint[]' | 'text[]' | 'timestamptz',
): RawBuilder<T> => sql<T>`(select ${value}::${sql.raw(type)})::${sql.raw(type)}`;
