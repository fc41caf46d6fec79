/** What the book and the database have of the recipients that violations name: a line each, to find out what happened. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../src/db/tables.ts';
import type { Book } from './book.ts';

const NAMED = /campaign (\d+) lead (\d+)/;
/** Of more, the first ones tell enough. */
const MOST = 5;

export async function rowsBehind(
  db: Kysely<Database>,
  book: Book,
  violations: readonly string[],
): Promise<string[]> {
  const named = new Set(violations.flatMap((line) => NAMED.exec(line)?.[0] ?? []));
  const lines: string[] = [];
  for (const name of [...named].slice(0, MOST)) {
    const [campaignId, leadId] = NAMED.exec(name)!.slice(1).map(Number) as [number, number];
    const addresses = book.addresses.get(leadId)?.during(-Infinity, Infinity) ?? [];
    const was = addresses.map(({ value, until }) => `${value || 'none'} until ${timeOf(until)}`);
    const { rows } = await sql<{ line: string }>`
      select 'recipient ' || to_jsonb(r)::text as line from recipients r
        where campaign_id = ${campaignId} and lead_id = ${leadId}
      union all
      select 'send ' || (to_jsonb(s) - 'subject' || jsonb_build_object('updated', xmin::text))::text
        from sends s where campaign_id = ${campaignId}
          and (lead_id = ${leadId} or former_lead_id = ${leadId}
            or email_key in (select email_key from leads where id = ${leadId}))`.execute(db);
    lines.push(`${name}: addresses ${was.join(', ')}`, ...rows.map((row) => row.line));
  }
  return lines;
}

const timeOf = (at: number): string =>
  Number.isFinite(at) ? new Date(at).toISOString() : 'the end';
