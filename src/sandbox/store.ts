/** The sandbox's records: documents by collection and id, journalled before any answer is sent. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** One writer process per state directory. Documents are plain JSON; never change one in place. */
export interface Store {
  get<T>(collection: string, id: string): T | undefined;
  /** In order of first `put`. */
  list<T>(collection: string): T[];
  put<T extends object>(collection: string, id: string, document: T): void;
  delete(collection: string, id: string): void;
  /** 1, 2, 3 ... per name; never reused, not even after a restart. */
  nextId(name: string): number;
  /** What `work` writes goes to the journal as a unit: all of it or, after a kill, none. */
  batch<T>(work: () => T): T;
  /** Readers inside `asSeenOutside` see what `work` writes only after `delayMs`. */
  withLag<T>(delayMs: number, work: () => T): T;
  /** Readers inside see lagging documents as they were before. */
  asSeenOutside<T>(work: () => T): T;
}

/** A line of the journal: a document (null = deleted) or a counter. */
type Entry = { c: string; id: string; d: unknown } | { n: string; v: number };

/** The view of the current call for its reads and writes. */
interface View {
  lagMs?: number;
  outside?: boolean;
}

interface VendorRecords {
  documents: Map<string, Map<string, unknown>>;
  counters: Map<string, number>;
}

/** Opens `<stateDir>/journal.jsonl`: replays it (a torn last line is dropped) and compacts it. */
export function openStore(stateDir: string): Store {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const path = join(stateDir, 'journal.jsonl');
  const vendorRecords = replay(path);
  compact(path, vendorRecords);
  const view = new AsyncLocalStorage<View>();
  const lag = createLag();
  const append = createAppender(path);
  const write = (entry: Entry): void => {
    append.line(JSON.stringify(entry));
    apply(vendorRecords, entry);
  };
  const change = (collection: string, id: string, document: unknown): void => {
    const before = vendorRecords.documents.get(collection)?.get(id);
    // A copy, so that a caller who later changes its object does not change the records.
    const copy: unknown = document === null ? null : JSON.parse(JSON.stringify(document));
    write({ c: collection, id, d: copy });
    const lagMs = view.getStore()?.lagMs;
    if (lagMs !== undefined) lag.hide(collection, id, { before, untilMs: Date.now() + lagMs });
  };
  const shown = (collection: string): Map<string, unknown> => {
    const documents = vendorRecords.documents.get(collection) ?? new Map<string, unknown>();
    return view.getStore()?.outside ? lag.overlay(collection, documents) : documents;
  };
  return {
    get: <T>(collection: string, id: string) => shown(collection).get(id) as T | undefined,
    list: <T>(collection: string) => [...shown(collection).values()] as T[],
    put: (collection, id, document) => change(collection, id, document),
    delete: (collection, id) => change(collection, id, null),
    nextId(name) {
      const v = (vendorRecords.counters.get(name) ?? 0) + 1;
      write({ n: name, v });
      return v;
    },
    batch: (work) => append.batch(work),
    withLag: (lagMs, work) => view.run({ lagMs }, work),
    asSeenOutside: (work) => view.run({ outside: true }, work),
  };
}

/** Lines are written at once, or, inside a batch, together at its end (even if it throws). */
function createAppender(path: string) {
  let held: string[] | undefined;
  return {
    line(text: string): void {
      if (held === undefined) appendFileSync(path, `${text}\n`);
      else held.push(text);
    },
    batch<T>(work: () => T): T {
      if (held !== undefined) return work();
      held = [];
      try {
        return work();
      } finally {
        const lines = held;
        held = undefined;
        if (lines.length > 0) appendFileSync(path, `${lines.join('\n')}\n`);
      }
    },
  };
}

function replay(path: string): VendorRecords {
  const vendorRecords: VendorRecords = { documents: new Map(), counters: new Map() };
  if (!existsSync(path)) return vendorRecords;
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.forEach((line, index) => {
    if (line === '') return;
    try {
      apply(vendorRecords, JSON.parse(line) as Entry);
    } catch {
      // A kill can tear only the last line, whose answer was never sent.
      if (lines.slice(index + 1).some((later) => later !== '')) {
        throw new Error(`${path}: line ${index + 1} is damaged`);
      }
    }
  });
  return vendorRecords;
}

function apply(vendorRecords: VendorRecords, entry: Entry): void {
  if ('n' in entry) {
    vendorRecords.counters.set(entry.n, entry.v);
    return;
  }
  const documents = vendorRecords.documents.get(entry.c) ?? new Map<string, unknown>();
  vendorRecords.documents.set(entry.c, documents);
  if (entry.d === null) documents.delete(entry.id);
  else documents.set(entry.id, entry.d);
}

function compact(path: string, vendorRecords: VendorRecords): void {
  const entries: Entry[] = [...vendorRecords.counters].map(([n, v]) => ({ n, v }));
  for (const [c, documents] of vendorRecords.documents) {
    for (const [id, d] of documents) entries.push({ c, id, d });
  }
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

interface Hidden {
  before: unknown;
  untilMs: number;
}

/** Which documents are still shown in their old state; in memory: a restart ends every lag. */
function createLag() {
  const hidden = new Map<string, Map<string, Hidden>>();
  return {
    hide(collection: string, id: string, change: Hidden): void {
      const ids = hidden.get(collection) ?? new Map<string, Hidden>();
      hidden.set(collection, ids);
      const earlier = ids.get(id);
      const stillHidden = earlier !== undefined && earlier.untilMs > Date.now();
      ids.set(id, stillHidden ? { ...change, before: earlier.before } : change);
    },
    overlay(collection: string, documents: Map<string, unknown>): Map<string, unknown> {
      const ids = hidden.get(collection);
      // Most collections never lag and need no copy.
      if (ids === undefined) return documents;
      const seen = new Map(documents);
      for (const [id, { before, untilMs }] of ids) {
        if (untilMs <= Date.now()) continue;
        if (before === undefined) seen.delete(id);
        else seen.set(id, before);
      }
      return seen;
    },
  };
}
