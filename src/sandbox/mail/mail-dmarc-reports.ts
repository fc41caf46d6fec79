/** DMARC aggregate reports, as the exchangers outside send them of what they took. RFC 7489, 7.2. */
import { gzipSync } from 'node:zlib';
import type { SandboxCore } from '../core.ts';
import { mailDate } from '../servers/mail-date.ts';
import type { MailQueue } from '../servers/mail-queue.ts';
import type { ZoneRecordType } from '../zone.ts';
import type { AcceptedMessage } from './mail-records.ts';

interface Reporter {
  core: SandboxCore;
  queue: MailQueue;
  /** The exchangers' name. */
  name: string;
}

/** A message with what an independent library makes of it. */
interface Checked {
  source: string;
  dkim: 'pass' | 'fail';
  spf: 'pass' | 'fail';
  from: string;
  envelope: string;
}

export interface SentReport {
  domain: string;
  to: string;
  messages: number;
}

/** Where each report went: one for each domain in From that asks for reports. */
export async function sendDmarcReports(
  reporter: Reporter,
  messages: readonly AcceptedMessage[],
): Promise<SentReport[]> {
  const checked = await Promise.all(messages.map((message) => check(reporter.core, message)));
  const domains = new Set(checked.map(({ from }) => from));
  const sent: SentReport[] = [];
  for (const domain of domains) {
    const to = addressFor(reporter.core, domain);
    if (to === undefined) continue;
    const own = checked.filter(({ from }) => from === domain);
    send(reporter, { domain, to, xml: reportOf(reporter.name, domain, own) });
    sent.push({ domain, to, messages: own.length });
  }
  return sent;
}

/** DKIM and SPF by the world's DNS; the source is the address of the name in HELO. */
async function check(core: SandboxCore, message: AcceptedMessage): Promise<Checked> {
  const { authenticate } = await import('mailauth');
  const resolver = async (name: string, type: string) => {
    const { records } = core.zone.lookup(name, type as ZoneRecordType);
    // In the forms of node:dns: parts of a TXT, exchangers with their priority, else texts.
    const asked = records.map(({ value, priority = 0 }) =>
      type === 'TXT' ? [value] : type === 'MX' ? { exchange: value, priority } : value,
    );
    if (asked.length > 0) return asked as string[];
    throw Object.assign(new Error(`no ${type} of ${name}`), { code: 'ENOTFOUND' });
  };
  const [address] = core.zone.lookup(message.helo, 'A').records;
  const source = address?.value ?? '0.0.0.0';
  const { dkim, spf } = await authenticate(Buffer.from(message.raw, 'latin1'), {
    ip: source,
    helo: message.helo,
    sender: message.from,
    mta: message.helo,
    resolver,
    disableArc: true,
    disableBimi: true,
  });
  const from = domainIn(message.headers['from'] ?? '');
  const envelope = domainIn(message.from);
  const isSigned = dkim.results.some(
    ({ signingDomain, status }) => signingDomain === from && status.result === 'pass',
  );
  const isSpf = spf !== false && spf.status.result === 'pass' && envelope === from;
  return {
    source,
    dkim: isSigned ? 'pass' : 'fail',
    spf: isSpf ? 'pass' : 'fail',
    from,
    envelope,
  };
}

const domainIn = (text: string): string =>
  (/@([^\s<>"@]+)>?\s*$/.exec(text)?.[1] ?? '').toLowerCase();

/** `rua` of the domain's policy, within the domain: another one would have to agree (RFC 7489, 7.1). */
function addressFor(core: SandboxCore, domain: string): string | undefined {
  const { records } = core.zone.lookup(`_dmarc.${domain}`, 'TXT');
  const policies = records.filter(({ value }) => /^v=DMARC1\s*;/.test(value));
  if (policies.length !== 1) return undefined;
  const to = /;\s*rua\s*=\s*mailto:([^\s,;!]+)/i.exec(policies[0]!.value)?.[1];
  return to !== undefined && domainIn(to) === domain ? to : undefined;
}

function reportOf(name: string, domain: string, messages: readonly Checked[]): string {
  const now = Math.floor(Date.now() / 1_000);
  const counts = new Map<string, { one: Checked; count: number }>();
  for (const one of messages) {
    const key = JSON.stringify(one);
    counts.set(key, { one, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const records = [...counts.values()].map(
    ({ one, count }) => `  <record>
    <row><source_ip>${one.source}</source_ip><count>${count}</count><policy_evaluated>
      <disposition>none</disposition><dkim>${one.dkim}</dkim><spf>${one.spf}</spf>
    </policy_evaluated></row>
    <identifiers><envelope_from>${one.envelope}</envelope_from><header_from>${domain}</header_from></identifiers>
    <auth_results><dkim><domain>${domain}</domain><result>${one.dkim}</result></dkim>
      <spf><domain>${one.envelope}</domain><result>${one.spf}</result></spf></auth_results>
  </record>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feedback>
  <version>1.0</version>
  <report_metadata>
    <org_name>${name}</org_name><email>dmarc@${name}</email>
    <report_id>${domain}.${Date.now()}</report_id>
    <date_range><begin>${now - (now % 86_400)}</begin><end>${now}</end></date_range>
  </report_metadata>
  <policy_published><domain>${domain}</domain><p>none</p><pct>100</pct></policy_published>
${records.join('\n')}
</feedback>
`;
}

/** Like many of them: the type says zip, the file is gzip. */
function send(
  { queue, name }: Reporter,
  { domain, to, xml }: { domain: string; to: string; xml: string },
): void {
  const from = `dmarc@${name}`;
  const content =
    gzipSync(xml)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  const raw = [
    `From: DMARC reports <${from}>`,
    `To: ${to}`,
    `Subject: Report Domain: ${domain} Submitter: ${name}`,
    `Date: ${mailDate(new Date())}`,
    `Message-ID: <dmarc.${Date.now()}.${domain}@${name}>`,
    'MIME-Version: 1.0',
    'Content-Type: application/zip',
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}!${domain}.xml.gz"`,
    '',
    ...content,
    '',
  ].join('\r\n');
  queue.add({ origin: 'outside', helo: name, from, to: [to], raw: Buffer.from(raw) });
}
