/** Keeps the reports in a message, where they are about the domain that they came to. Choice 76. */
import { decodeWords } from 'postal-mime';
import type { Context } from '../../src/context.ts';
import {
  countReportsSince,
  insertMailReport,
  type ReportRow,
} from '../../src/db/mail-reports/mail-reports.ts';
import type { ReportedCluster } from '../../src/db/mail-reports/role-mailboxes.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { storable } from '../../src/domain/storable-text.ts';
import type { MailReport, ReportFile } from '../../src/providers/mail-reports/port.ts';
import { withMessage } from '../inbox/mime-reader.ts';

/** Parts of a message that are looked at. */
const MAX_PARTS = 50;
const MAX_NAME_CHARS = 200;
const MAX_ID_CHARS = 300;
/** Lines of one report that are kept: those about our own server, then the largest. */
const MAX_LINES = 200;
/** Reports a day that are kept of one domain: more are no reports of mail that was sent. */
const MAX_A_DAY = 300;
/** Clocks of reporters may be ahead, and the day that they report on may be another zone's. */
const MAX_AHEAD_MS = DAY_MS;
const MAX_SPAN_MS = 32 * DAY_MS;

type KeepContext = Pick<Context, 'db' | 'clock' | 'config' | 'mailReports'>;

/** `kept`: new ones; `known`: kept before; `useless`: of other domains or days, or one too many. */
export interface Kept {
  kept: number;
  known: number;
  useless: number;
}

/** Undefined where the message holds no report that can be read: it is mail for people. Safe to repeat. */
export async function keepReports(
  context: KeepContext,
  cluster: ReportedCluster,
  message: { source: Buffer; receivedAt: Date },
): Promise<Kept | undefined> {
  const found = context.mailReports.read(await filesOf(message.source));
  const reports = found.filter((one): one is MailReport => one.kind !== 'unusable');
  if (reports.length === 0) return undefined;
  const result: Kept = { kept: 0, known: 0, useless: 0 };
  for (const report of reports) {
    result[await keep(context, { cluster, report, receivedAt: message.receivedAt })] += 1;
  }
  return result;
}

/** A message that is no MIME has no files. */
const filesOf = (source: Buffer): Promise<ReportFile[]> =>
  withMessage(source, ({ parts }) =>
    parts.slice(0, MAX_PARTS).map((part) => ({
      type: part.type,
      filename: decodeWords(part.filename ?? part.name ?? ''),
      content: part.bytes(),
    })),
  ).catch(() => []);

interface Found {
  cluster: ReportedCluster;
  report: MailReport;
  receivedAt: Date;
}

async function keep(
  { db, clock, config }: KeepContext,
  { cluster, report, receivedAt }: Found,
): Promise<keyof Kept> {
  const now = clock.now().getTime();
  const begins = report.beginsAt.getTime();
  const span = report.endsAt.getTime() - begins;
  const oldest = now - config.MAIL_REPORT_RETENTION_DAYS * DAY_MS;
  const isOfTime = begins <= now + MAX_AHEAD_MS && begins >= oldest;
  if (report.domain !== cluster.domain || !isOfTime || span < 0 || span > MAX_SPAN_MS) {
    return 'useless';
  }
  const sinceYesterday = new Date(now - DAY_MS);
  if ((await countReportsSince(db, cluster.domainId, sinceYesterday)) >= MAX_A_DAY) {
    return 'useless';
  }
  const isNew = await db.transaction().execute((trx) =>
    insertMailReport(trx, {
      userId: cluster.userId,
      domainId: cluster.domainId,
      kind: report.kind,
      organization: storable(report.organization).slice(0, MAX_NAME_CHARS),
      reportId: storable(report.reportId).slice(0, MAX_ID_CHARS),
      beginsAt: report.beginsAt,
      endsAt: report.endsAt,
      receivedAt,
      rows: linesOf(report, cluster.server.ipv4 ?? ''),
    }),
  );
  return isNew ? 'kept' : 'known';
}

/** Rows that differ in nothing that is shown are one line. */
function linesOf(report: MailReport, ownSource: string): ReportRow[] {
  const lines = new Map<string, ReportRow>();
  for (const row of asRows(report)) {
    const key = JSON.stringify([row.source, row.result, row.disposition, row.dkim, row.spf]);
    const known = lines.get(key);
    if (known) known.messages += row.messages;
    else lines.set(key, row);
  }
  const rank = ({ source, messages }: ReportRow) => (source === ownSource ? Infinity : messages);
  const byRank = [...lines.values()].toSorted((a, b) => {
    const [ofA, ofB] = [rank(a), rank(b)];
    return ofA === ofB ? 0 : ofB - ofA;
  });
  return byRank.slice(0, MAX_LINES);
}

const TLS_ONLY = { disposition: null, dkim: null, spf: null, auth_results: null } as const;

function asRows(report: MailReport): ReportRow[] {
  if (report.kind === 'tls') {
    return report.rows.map(({ source, result, sessions }) => ({
      ...TLS_ONLY,
      source: storable(source),
      result: storable(result),
      messages: sessions,
    }));
  }
  return report.rows.map(({ source, messages, disposition, dkim, spf, authResults }) => ({
    source,
    // RFC 7489, 3.1: one aligned mechanism is enough.
    result: dkim === 'pass' || spf === 'pass' ? 'pass' : 'fail',
    disposition,
    dkim,
    spf,
    auth_results: storable(authResults),
    messages,
  }));
}
