/** What is sent to Postgres at once: a transaction's begin with its first statement, and statements that need nothing of each other. */
import { CompiledQuery, type Kysely, type QueryExecutorProvider } from 'kysely';
import pg from 'pg';
import type { Database } from './tables.ts';

/** A statement that is not asked yet. */
interface Asked<Row> {
  compile(provider: QueryExecutorProvider): CompiledQuery<Row>;
}

type Answers<Rows extends readonly unknown[]> = { [N in keyof Rows]: Rows[N][] };

/**
 * Asks several statements in one round trip; answers the rows of each. They run one after the other as if each were asked
 * when the one before it has ended: with a snapshot of its own, which has what was committed while that one waited for a
 * lock. After one that fails, none is run; outside of a transaction a failure of the server undoes those before it as well.
 * Choice 202.
 */
export async function together<Rows extends readonly unknown[]>(
  db: Kysely<Database>,
  asked: { [N in keyof Rows]: Asked<Rows[N]> },
): Promise<Answers<Rows>> {
  const statements = asked.map((one) => one.compile(db));
  if (statements.length === 0) return [] as unknown as Answers<Rows>;
  // What traces see, and plugins: the first one, which has their words about it.
  const sql = statements.map((one) => one.sql).join(';\n');
  const round = { ...statements[0]!, sql, parameters: [new Together(statements)] };
  const { rows } = await db.executeQuery(round);
  return rows as Answers<Rows>;
}

/** In the place of values: several statements, not one. */
class Together {
  readonly statements: readonly CompiledQuery[];
  constructor(statements: readonly CompiledQuery[]) {
    this.statements = statements;
  }
}

/** `/*name*\/ ...`, or `select /*name*\/ ...` of a query that was built (`modifyFront`). */
const NAME = /^\s*(?:select\s+)?\/\*([\w-]+)\*\//;

type Ask = (...given: unknown[]) => unknown;
type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;
type Types = pg.CustomTypesConfig;

/**
 * A statement that begins with its name in a comment is parsed once per connection, and planned once where the plan for any
 * values is as good. For the few most frequent statements: a plan of one with many joins takes ten times as long as
 * its reading. A name MUST stand for one text, and MUST name its columns: with `*` it fails on open connections
 * once a migration has added one.
 *
 * `begin` is answered at once and goes out with the statement after it; a transaction that asks nothing costs nothing.
 */
export function saveRoundTrips(client: pg.PoolClient, types: Types): void {
  const ask = client.query.bind(client) as Ask;
  let isToBegin = false;
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]): unknown => {
    if (text === 'begin') {
      isToBegin = true;
      return Promise.resolve<Answer>({ command: 'BEGIN', rowCount: null, rows: [] });
    }
    const begins = isToBegin;
    isToBegin = false;
    if (begins && (text === 'commit' || text === 'rollback')) {
      return Promise.resolve<Answer>({ command: text.toUpperCase(), rowCount: null, rows: [] });
    }
    const named = nameOf(text, values);
    const group = values instanceof Array && values[0] instanceof Together ? values[0] : undefined;
    if (group) return askTogether(ask, configsOf(group, types), begins);
    if (!begins) return named ? ask(named, ...rest) : ask(text, values, ...rest);
    // Without values it may be several statements in one text, which only go out by themselves.
    if (!named && !(values instanceof Array && values.length > 0)) {
      return (ask('begin') as Promise<unknown>).then(() => ask(text, values, ...rest));
    }
    const config = named ?? { text: text as string, values: values as unknown[] };
    return askFirst(ask, { ...config, types });
  }) as typeof client.query;
}

function nameOf(text: unknown, values: unknown): pg.QueryConfig | undefined {
  const name = typeof text === 'string' ? NAME.exec(text)?.[1] : undefined;
  if (name === undefined || !Array.isArray(values)) return undefined;
  return { name, text: text as string, values };
}

const configsOf = ({ statements }: Together, types: Types): pg.QueryConfig[] =>
  statements.map(({ sql: text, parameters }) => {
    const values = [...parameters];
    return { ...(nameOf(text, values) ?? { text, values }), types };
  });

const BEGIN: pg.QueryConfig = { text: 'begin' };

async function askFirst(ask: Ask, config: pg.QueryConfig): Promise<Answer> {
  const [, answer] = await askAtOnce(ask, [BEGIN, config]);
  return answer!;
}

async function askTogether(
  ask: Ask,
  configs: readonly pg.QueryConfig[],
  begins: boolean,
): Promise<Answer> {
  const answers = await askAtOnce(ask, begins ? [BEGIN, ...configs] : configs);
  const rows = answers.slice(begins ? 1 : 0).map((answer) => answer.rows);
  return { command: 'TOGETHER', rowCount: null, rows };
}

const askAtOnce = (ask: Ask, configs: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]> =>
  new Promise((resolve, reject) => {
    ask(new Statements(configs, { resolve, reject }));
  });

/** What `pg` calls of a `Query` with the messages of the server. */
interface Receiver {
  name?: string;
  text: string;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleEmptyQuery(connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

type Statement = Omit<pg.Query, 'submit'> &
  Receiver & { submit(connection: Connection): Error | null };
type Connection = pg.Connection & {
  sync(): void;
  submittedNamedStatements: Record<string, string>;
  parsedStatements: Record<string, string>;
};

/**
 * Given to `client.query` like a `Query` (as cursors are): several of them between which Postgres is not asked to answer, so that
 * it runs none after one that fails. Messages are those of the first that is not complete.
 */
class Statements implements pg.Submittable {
  readonly texts: string[];
  readonly #statements: Statement[];
  readonly #answers: pg.QueryResult[] = [];
  readonly #end: { resolve(answers: pg.QueryResult[]): void; reject(error: Error): void };
  #failure: Error | undefined;
  #complete = 0;

  constructor(
    configs: readonly pg.QueryConfig[],
    end: { resolve(answers: pg.QueryResult[]): void; reject(error: Error): void },
  ) {
    this.#end = end;
    this.texts = configs.map(({ text }) => text);
    this.#statements = configs.map((config) => {
      const inParts = { ...config, queryMode: 'extended' };
      return new pg.Query(inParts, (error: Error | undefined, answer: unknown) => {
        if (error) this.#failure ??= error;
        else this.#answers.push(answer as pg.QueryResult);
      }) as unknown as Statement;
    });
  }

  /** `pg` notes a text as parsed by name and text of what it has submitted. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string {
    return this.#current?.text ?? '';
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#complete];
  }

  submit(given: pg.Connection): void {
    const connection = given as Connection;
    const withoutSync = Object.create(connection, { sync: { value: () => undefined } });
    connection.stream.cork();
    try {
      for (const statement of this.#statements) {
        const refusal = statement.submit(withoutSync as Connection);
        if (refusal) this.#failure ??= refusal;
        // A value that could not be written, for one.
        if (this.#failure) break;
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription(message: unknown): void {
    this.#current?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#current?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#current?.handleCommandComplete(message, connection);
    this.#complete += 1;
  }

  handleEmptyQuery(): void {
    this.#complete += 1;
  }

  handleError(error: Error, connection: Connection): void {
    for (const { name } of this.#statements.slice(this.#complete)) {
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    }
    this.#end.reject(this.#failure ?? error);
  }

  handleReadyForQuery(connection: Connection): void {
    if (!this.#failure) {
      for (const statement of this.#statements) statement.handleReadyForQuery(connection);
    }
    if (!this.#failure) return this.#end.resolve(this.#answers);
    // A value of this one could not be written: `pg` has closed it at the server, and keeps it for parsed.
    if (this.name !== undefined) delete connection.parsedStatements[this.name];
    this.#end.reject(this.#failure);
  }
}
