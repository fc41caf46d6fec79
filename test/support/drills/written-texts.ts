/** Everything that the product has written in a world, as text: its database, its logs, the histories of Temporal. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';

/** What is read of a world. */
export interface WrittenWorld {
  db: Kysely<Database>;
  temporal: Client;
  running: { stateDir: string };
}

/** By place. */
export const textsOf = async (world: WrittenWorld): Promise<Record<string, string>> => ({
  ...(await databaseTexts(world)),
  ...(await fileTexts(join(world.running.stateDir, 'logs'))),
  ...(await historyTexts(world)),
});

/** Every row of every table as text; `bytea` columns are hexadecimal in it. */
async function databaseTexts({ db }: WrittenWorld): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const texts: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t`.execute(db);
    texts[`table ${name}`] = rows.map(({ row }) => row).join('\n');
  }
  return texts;
}

async function fileTexts(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index]!]));
}

/** Each history as it is kept, and with its payloads decoded: inputs, results, failures, details. */
async function historyTexts({ temporal }: WrittenWorld): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  const { payloadCodecs } = temporal.options.loadedDataConverter;
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const kept: Found = { texts: [], payloads: [] };
    collect(history, kept);
    const decoded: Found = { texts: [], payloads: [] };
    collect(await payloadCodecs[0]!.decode(kept.payloads), decoded);
    texts[`raw history ${workflowId} ${runId}`] = kept.texts.join('\n');
    texts[`history ${workflowId} ${runId}`] = decoded.texts.join('\n');
  }
  return texts;
}

interface Found {
  texts: string[];
  payloads: Payload[];
}

/** Every text in a value, and every payload, bytes read as text. */
function collect(value: unknown, into: Found): void {
  if (typeof value === 'string') into.texts.push(value);
  else if (value instanceof Uint8Array) into.texts.push(Buffer.from(value).toString());
  else if (typeof value === 'object' && value !== null) {
    if ('metadata' in value && 'data' in value) into.payloads.push(value as Payload);
    for (const part of Object.values(value)) collect(part, into);
  }
}

/** Names the place, and of the secret only how it begins. */
export function findIn(places: Record<string, string>, canaries: string[]): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    canaries
      .filter((canary) => text.includes(canary) || text.includes(hexOf(canary)))
      .map((canary) => `${place}: ${canary.slice(0, 8)}…`),
  );
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');

/** The text by itself, and as base64 has it wherever within longer bytes it begins, as a login does. */
export function formsOf(text: string): string[] {
  const encoded = [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + text);
    const all = bytes.toString('base64').replace(/=+$/, '');
    // Characters at both ends depend on what stands around it, too.
    return all.slice(before && before + 1, bytes.length % 3 === 0 ? undefined : -1);
  });
  return [text, ...encoded];
}
