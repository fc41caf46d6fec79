/** Reports of other mail servers: each is kept once, and by day, source and result it is shown. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import type { MailReportRowsTable } from './mail-report-tables.ts';

export type ReportRow = Omit<MailReportRowsTable, 'report_id'>;

export interface NewMailReport {
  userId: string;
  domainId: number;
  kind: 'dmarc' | 'tls';
  organization: string;
  reportId: string;
  beginsAt: Date;
  endsAt: Date;
  receivedAt: Date;
  rows: readonly ReportRow[];
}

/** Postgres takes 65,535 parameters in one statement. */
const ROWS_AT_ONCE = 1_000;

/** False where it was kept before: reporters send some reports twice. */
export async function insertMailReport(
  trx: Transaction<Database>,
  report: NewMailReport,
): Promise<boolean> {
  const { rows, ...head } = report;
  const added = await trx
    .insertInto('mail_reports')
    .values({
      user_id: head.userId,
      domain_id: head.domainId,
      kind: head.kind,
      organization: head.organization,
      report_id: head.reportId,
      begins_at: head.beginsAt,
      ends_at: head.endsAt,
      received_at: head.receivedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return false;
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    await trx
      .insertInto('mail_report_rows')
      .values(some.map((row) => ({ ...row, report_id: added.id })))
      .execute();
  }
  return true;
}

/** Reports of a domain that came since. */
export async function countReportsSince(
  db: Kysely<Database>,
  domainId: number,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mail_reports
    where domain_id = ${domainId} and received_at >= ${since}`.execute(db);
  return rows[0]!.count;
}

/** What was reported of one source on one day, with one result. */
export interface ReportedMail {
  /** UTC: `2026-11-23`. */
  day: string;
  source: string;
  result: string;
  disposition: MailReportRowsTable['disposition'];
  dkim: MailReportRowsTable['dkim'];
  spf: MailReportRowsTable['spf'];
  authResults: string | null;
  messages: number;
  reporters: string[];
}

/** Reporters that are named of one line. */
const MAX_REPORTERS = 20;

/** Newest day first, then by number; `total` counts the lines without paging. */
export async function listReportedMail(
  db: Kysely<Database>,
  asked: { domainId: number; kind: 'dmarc' | 'tls'; since: Date; limit: number; offset: number },
): Promise<{ rows: ReportedMail[]; total: number }> {
  const { rows } = await sql<ReportedMail & { total: number }>`
    with lines as (
      select to_char(report.begins_at at time zone 'UTC', 'YYYY-MM-DD') as day,
        line.source, line.result, line.disposition, line.dkim, line.spf,
        max(line.auth_results) as auth_results,
        least(sum(line.messages), ${sql.lit(Number.MAX_SAFE_INTEGER)})::bigint as messages,
        array_agg(distinct report.organization order by report.organization) as reporters
      from mail_reports report join mail_report_rows line on line.report_id = report.id
      where report.domain_id = ${asked.domainId} and report.kind = ${asked.kind}
        and report.begins_at >= ${asked.since}
      group by 1, 2, 3, 4, 5, 6)
    select day, source, result, disposition, dkim, spf, auth_results as "authResults", messages,
      reporters[1:${sql.lit(MAX_REPORTERS)}] as reporters, count(*) over ()::int as total
    from lines order by day desc, messages desc, source, result, disposition, dkim, spf
    limit ${asked.limit} offset ${asked.offset}`.execute(db);
  const total = rows[0]?.total ?? 0;
  return {
    rows: rows.map(({ total: _total, ...row }) => row),
    total: rows.length === 0 && asked.offset > 0 ? await countLines(db, asked) : total,
  };
}

/** For a page behind the last one. */
async function countLines(
  db: Kysely<Database>,
  asked: { domainId: number; kind: 'dmarc' | 'tls'; since: Date },
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (
      select distinct (report.begins_at at time zone 'UTC')::date,
        line.source, line.result, line.disposition, line.dkim, line.spf
      from mail_reports report join mail_report_rows line on line.report_id = report.id
      where report.domain_id = ${asked.domainId} and report.kind = ${asked.kind}
        and report.begins_at >= ${asked.since}) lines`.execute(db);
  return rows[0]!.total;
}

/** Deletes up to `limit` reports that begin before this; how many there were. Safe to repeat. */
export async function pruneMailReports(
  db: Kysely<Database>,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mail_reports where id in (
      select id from mail_reports where begins_at < ${before} order by begins_at limit ${limit})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}
