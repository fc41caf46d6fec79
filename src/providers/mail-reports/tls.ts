/** TLS reports: RFC 8460, 4.4. */
import { z } from 'zod';
import { plainName } from './dmarc.ts';
import { MAX_COUNT, MAX_ROWS, MAX_TEXT_CHARS, Unusable } from './limits.ts';
import type { TlsReport, TlsRow } from './port.ts';

const count = z.coerce.number().int().min(0).max(MAX_COUNT);
const words = z.string().max(MAX_TEXT_CHARS);

const failure = z.object({
  'result-type': words,
  'receiving-mx-hostname': words.nullish(),
  'failed-session-count': count,
});

const policy = z.object({
  policy: z.object({ 'policy-domain': words, 'policy-type': words.nullish() }),
  summary: z
    .object({
      'total-successful-session-count': count.nullish(),
      'total-failure-session-count': count.nullish(),
    })
    .nullish(),
  'failure-details': z.array(z.unknown()).max(MAX_ROWS).nullish(),
});

const report = z.object({
  'organization-name': words.min(1),
  'date-range': z.object({ 'start-datetime': words, 'end-datetime': words }),
  'report-id': words.min(1),
  policies: z.array(z.unknown()).max(MAX_ROWS),
});

/** One report for each domain that it is about; undefined where the text is none. Throws `Unusable`. */
export function readTlsReports(json: string): TlsReport[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Unusable('The JSON is broken');
  }
  if (typeof value !== 'object' || value === null || !('policies' in value)) return undefined;
  const parsed = report.safeParse(value);
  if (!parsed.success) throw new Unusable('The TLS report lacks what it has to say');
  const { 'date-range': range, policies, ...head } = parsed.data;
  const beginsAt = asTime(range['start-datetime']);
  const endsAt = asTime(range['end-datetime']);
  const byDomain = new Map<string, TlsRow[]>();
  for (const one of policies) addPolicy(byDomain, one);
  return [...byDomain].map(([domain, rows]) => ({
    kind: 'tls',
    organization: head['organization-name'],
    reportId: head['report-id'],
    beginsAt,
    endsAt,
    domain,
    rows,
  }));
}

/** A policy that cannot be read is left out: the others still count. */
function addPolicy(byDomain: Map<string, TlsRow[]>, value: unknown): void {
  const parsed = policy.safeParse(value);
  if (!parsed.success) return;
  const { policy: of, summary, 'failure-details': details } = parsed.data;
  const domain = plainName(of['policy-domain']);
  const rows = byDomain.get(domain) ?? [];
  byDomain.set(domain, rows);
  const add = (source: string, result: string, sessions: number) => {
    if (sessions > 0 && rows.length < MAX_ROWS) {
      rows.push({ source: source.slice(0, 253), result: result.slice(0, 100), sessions });
    }
  };
  const type = of['policy-type'] ?? 'no-policy-found';
  add(type, 'success', summary?.['total-successful-session-count'] ?? 0);
  let explained = 0;
  for (const each of details ?? []) {
    const one = failure.safeParse(each).data;
    if (!one) continue;
    explained += one['failed-session-count'];
    const source = plainName(one['receiving-mx-hostname'] ?? '') || type;
    add(source, one['result-type'].toLowerCase(), one['failed-session-count']);
  }
  const failed = summary?.['total-failure-session-count'] ?? 0;
  add(type, 'unexplained', failed - explained);
}

function asTime(text: string): Date {
  const at = new Date(text);
  if (!(at.getTime() > 0)) throw new Unusable('The TLS report does not say its day');
  return at;
}
