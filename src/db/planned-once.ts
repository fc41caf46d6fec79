/**
 * Statements whose text depends on what is asked, and that take longer to plan than to run: the first so many texts of a process
 * get a name, so that each connection plans them once (`round-trips.ts`). Choice 211.
 *
 * The planner does not see their values (`same-plan.ts`), since its plan is for any. So it takes an account for an average one,
 * and a text for one in some rows: what they read MUST be read by an index that is right for whoever asks, and others MUST
 * NOT look better.
 */
import { createHash } from 'node:crypto';
import { type CompiledQuery, type Kysely, type QueryResult, type RawBuilder } from 'kysely';
import type { Database } from './tables.ts';

/** A connection keeps what it has planned: some 100 KB each. */
const MOST_TEXTS = 64;

const names = new Map<string, string>();

/** Asks a statement whose text is one of few; its values are texts, whole numbers and times. */
export function askPlannedOnce<Row>(
  db: Kysely<Database>,
  statement: RawBuilder<Row>,
): Promise<QueryResult<Row>> {
  const query = statement.compile(db);
  const text = hiding(query);
  const name = nameOf(text);
  return db.executeQuery(name ? { ...query, sql: `/*${name}*/${text}` } : query);
}

const hiding = ({ sql, parameters }: CompiledQuery): string =>
  sql.replaceAll(/\$(\d+)/g, (place, n) => {
    const value = parameters[Number(n) - 1];
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return place;
    const type = value instanceof Date ? 'timestamptz' : TYPES[typeof value];
    return type ? `(select ${place}::${type})` : place;
  });

const TYPES: Partial<Record<string, string>> = { string: 'text', number: 'bigint' };

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_TEXTS) return known;
  // The same in each process, so that a pooler between which knows no names mixes up none.
  const name = `once-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  names.set(text, name);
  return name;
}
