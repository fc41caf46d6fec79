/**
 * DMARC aggregate reports: RFC 7489, appendix C, and RFC 9990. Elements are known by their local names: some
 * reporters declare a namespace, some none. htmlparser2 reads no DTD, so there are no entities to expand.
 */
import { isIP } from 'node:net';
import { Parser } from 'htmlparser2';
import { MAX_COUNT, MAX_DEPTH, MAX_ROWS, MAX_TEXT_CHARS, Unusable } from './limits.ts';
import type { DmarcReport, DmarcRow, Outcome } from './port.ts';

const CHUNK_CHARS = 65_536;
const MAX_AUTH_RESULTS = 10;
const MAX_AUTH_CHARS = 500;

/** Texts of leaf elements by their path below `feedback`, of the record that is being read or of the head. */
type Texts = Map<string, string>;

/** Undefined where the document is no DMARC report; throws `Unusable` for one that says too little. */
export function readDmarcReport(xml: string): DmarcReport | undefined {
  const head: Texts = new Map();
  const rows: DmarcRow[] = [];
  const isReport = walk(xml, head, (record, results) => {
    if (rows.length >= MAX_ROWS) throw new Unusable('The report has too many records');
    const row = asRow(record, results);
    if (row) rows.push(row);
  });
  if (!isReport) return undefined;
  const text = (path: string) => head.get(path) ?? '';
  const organization = text('report_metadata/org_name') || text('report_metadata/email');
  const reportId = text('report_metadata/report_id');
  const domain = plainName(text('policy_published/domain'));
  const beginsAt = asTime(text('report_metadata/date_range/begin'));
  const endsAt = asTime(text('report_metadata/date_range/end')) ?? beginsAt;
  if (!organization || !reportId || !domain || !beginsAt || !endsAt) {
    throw new Unusable('The report does not say who reports on which domain and day');
  }
  return { kind: 'dmarc', organization, reportId, domain, beginsAt, endsAt, rows };
}

/** Calls `take` for each record; false where the root is another element. */
function walk(xml: string, head: Texts, take: (record: Texts, results: string[]) => void): boolean {
  let isReport: boolean | undefined;
  let path: string[] = [];
  let text = '';
  let record: Texts = new Map();
  let results: string[] = [];
  const parser = new Parser(
    {
      onopentag(name) {
        const local = name.slice(name.indexOf(':') + 1).toLowerCase();
        isReport ??= local === 'feedback';
        path.push(local);
        if (path.length > MAX_DEPTH) throw new Unusable('The report nests too deep');
        if (path.length === 2 && local === 'record') [record, results] = [new Map(), []];
        text = '';
      },
      ontext(more) {
        if (text.length < MAX_TEXT_CHARS) text += more.slice(0, MAX_TEXT_CHARS);
      },
      onclosetag() {
        const inRecord = path[1] === 'record';
        const key = path.slice(inRecord ? 2 : 1).join('/');
        const texts = inRecord ? record : head;
        const value = text.trim().slice(0, MAX_TEXT_CHARS);
        if (value !== '' && !texts.has(key)) texts.set(key, value);
        if (/^auth_results\/(?:dkim|spf)$/.test(key)) noteResult(key.slice(13), record, results);
        if (inRecord && path.length === 2) take(record, results);
        path = path.slice(0, -1);
        text = '';
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < xml.length && isReport !== false; at += CHUNK_CHARS) {
    parser.write(xml.slice(at, at + CHUNK_CHARS));
  }
  if (isReport) parser.end();
  return isReport === true;
}

/** There may be several results, of several signatures: each is noted as it ends, and forgotten. */
function noteResult(method: string, record: Texts, results: string[]): void {
  const part = (name: string) => {
    const key = `auth_results/${method}/${name}`;
    const value = record.get(key) ?? '';
    record.delete(key);
    return value.slice(0, 253);
  };
  const [domain, selector, result] = [part('domain'), part('selector'), part('result')];
  record.delete(`auth_results/${method}`);
  if (results.length >= MAX_AUTH_RESULTS) return;
  results.push(`${method}=${result || 'none'} ${domain}${selector && `/${selector}`}`.trim());
}

const DISPOSITIONS: Readonly<Record<string, DmarcRow['disposition']>> = {
  none: 'none',
  pass: 'pass',
  quarantine: 'quarantine',
  reject: 'reject',
};

/** Undefined for a record that names no source or no number: the others still count. */
function asRow(record: Texts, results: string[]): DmarcRow | undefined {
  const source = (record.get('row/source_ip') ?? '').toLowerCase();
  const messages = Number(record.get('row/count') ?? '');
  const isCount = Number.isInteger(messages) && messages > 0 && messages <= MAX_COUNT;
  if (isIP(source) === 0 || !isCount) return undefined;
  const evaluated = (name: string) => record.get(`row/policy_evaluated/${name}`)?.toLowerCase();
  // Without a verdict, what was checked says nothing of alignment.
  if (evaluated('dkim') === undefined && evaluated('spf') === undefined) return undefined;
  const outcome = (name: string): Outcome => (evaluated(name) === 'pass' ? 'pass' : 'fail');
  const dkim = outcome('dkim');
  const spf = outcome('spf');
  return {
    source,
    messages,
    disposition: DISPOSITIONS[evaluated('disposition') ?? ''] ?? 'none',
    dkim,
    spf,
    headerFrom: plainName(record.get('identifiers/header_from') ?? '').slice(0, 253),
    authResults: results.join('; ').slice(0, MAX_AUTH_CHARS),
  };
}

export const plainName = (name: string): string => name.trim().toLowerCase().replace(/\.$/, '');

/** Seconds since 1970, of this century. */
function asTime(text: string): Date | undefined {
  const seconds = Number(text);
  const isTime = text !== '' && Number.isFinite(seconds) && seconds > 0 && seconds < 4_102_444_800;
  return isTime ? new Date(Math.floor(seconds) * 1_000) : undefined;
}
