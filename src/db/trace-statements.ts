/**
 * One span for each SQL statement: what it does to which table, never its text or its parameters. Of several that go out
 * together it tells of the first.
 */
import type { CompiledQuery, DatabaseConnection } from 'kysely';
import { isRecording, pastSpan, type SpanOptions } from '../tracing/spans.ts';

/** Its name in a comment, and its verb. */
const VERB = /^\s*(?:\/\*([\w-]+)\*\/)?\s*(\w+)/;
/** The first table; names are ours, so they may be shown. */
const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_]\w{0,62})"?/i;

/**
 * For Kysely's `onCreateConnection`. Not its `log`, which takes six promises for each statement, and most statements are of no
 * trace that is kept. Streams (`streamQuery`) are no spans: they would end with their reader, not with their statement.
 */
export function traceStatements(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = <Row>(query: CompiledQuery) =>
    isRecording() ? told(query, () => execute<Row>(query)) : execute<Row>(query);
}

async function told<T>({ sql }: CompiledQuery, execute: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  const tell = (failed?: { error: unknown }) =>
    pastSpan(() => describe(sql), {
      startedAt: Date.now() - (performance.now() - begunAt),
      ...failed,
    });
  try {
    const result = await execute();
    tell();
    return result;
  } catch (error) {
    tell({ error: error ?? new Error() });
    throw error;
  }
}

function describe(sql: string): { name: string; options: SpanOptions } {
  const { operation, collection, name } = summaryOf(sql);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(collection && { 'db.collection.name': collection }),
    ...(name && { 'outreach.statement': name }),
  };
  return {
    name: [operation, collection].filter(Boolean).join(' '),
    options: { kind: 'CLIENT', attributes },
  };
}

/** What begins with anything else is called SQL. */
const VERBS = new Set(
  'SELECT INSERT UPDATE DELETE WITH BEGIN COMMIT ROLLBACK SAVEPOINT RELEASE MERGE'.split(' '),
);

/** `/*due*\/ select ... from leads` -> SELECT, leads, due. */
export function summaryOf(sql: string): { operation: string; collection?: string; name?: string } {
  const [, name, verb = ''] = VERB.exec(sql) ?? [];
  const operation = verb.toUpperCase();
  const collection = TABLE.exec(sql)?.[1];
  return {
    operation: VERBS.has(operation) ? operation : 'SQL',
    ...(collection !== undefined && { collection }),
    ...(name !== undefined && { name }),
  };
}
