/** Reports of other mail servers, as messages that bring them. */
import { gzipSync } from 'node:zlib';
import { DAY_MS } from '../../../src/domain/day.ts';

export interface ReportOf {
  domain: string;
  organization?: string;
  reportId?: string;
  begins?: Date;
  /** Messages of a source: aligned by neither mechanism where it fails. */
  rows: readonly { source: string; messages: number; result: 'pass' | 'fail' }[];
}

/** A DMARC aggregate report: RFC 7489, appendix C. */
export function dmarcXml(report: ReportOf): string {
  const { domain, organization = 'big.example', reportId = '1', begins = yesterday() } = report;
  const begin = Math.floor(begins.getTime() / 1_000);
  const records = report.rows.map(
    ({ source, messages, result }) => `<record>
    <row><source_ip>${source}</source_ip><count>${messages}</count><policy_evaluated>
      <disposition>none</disposition><dkim>${result}</dkim><spf>${result}</spf></policy_evaluated></row>
    <identifiers><header_from>${domain}</header_from></identifiers>
    <auth_results><spf><domain>${domain}</domain><result>${result}</result></spf></auth_results>
  </record>`,
  );
  return `<?xml version="1.0"?><feedback><report_metadata><org_name>${organization}</org_name>
  <email>dmarc@${organization}</email><report_id>${reportId}</report_id>
  <date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata>
  <policy_published><domain>${domain}</domain><p>none</p></policy_published>
  ${records.join('\n')}</feedback>`;
}

/** The message that brings it, as the larger reporters send it. */
export const dmarcMessage = (report: ReportOf): string =>
  fileMessage(`postmaster@${report.domain}`, {
    subject: `Report domain: ${report.domain} Submitter: ${report.organization ?? 'big.example'}`,
    type: 'application/gzip',
    filename: `big.example!${report.domain}!1!2.xml.gz`,
    content: gzipSync(dmarcXml(report)),
  });

/** A TLS report: RFC 8460, 5.3. */
export const tlsMessage = (domain: string): string =>
  fileMessage(`postmaster@${domain}`, {
    subject: `Report Domain: ${domain} Submitter: big.example`,
    type: 'application/tlsrpt+gzip',
    filename: `big.example!${domain}!1!2.json.gz`,
    content: gzipSync(
      JSON.stringify({
        'organization-name': 'Big Mail',
        'report-id': 'tls-1',
        'date-range': {
          'start-datetime': yesterday().toISOString(),
          'end-datetime': new Date().toISOString(),
        },
        policies: [
          {
            policy: { 'policy-type': 'sts', 'policy-domain': domain },
            summary: { 'total-successful-session-count': 9, 'total-failure-session-count': 2 },
            'failure-details': [
              {
                'result-type': 'certificate-expired',
                'receiving-mx-hostname': `mail.${domain}`,
                'failed-session-count': 2,
              },
            ],
          },
        ],
      }),
    ),
  });

let messages = 0;

export function fileMessage(
  to: string,
  file: { subject: string; type: string; filename: string; content: Buffer },
): string {
  const lines = file.content.toString('base64').match(/.{1,76}/g) ?? [];
  return [
    'From: reports@big.example',
    `To: ${to}`,
    `Subject: ${file.subject}`,
    `Message-ID: <report-${(messages += 1)}@big.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'This is an aggregate report.',
    '--b',
    `Content-Type: ${file.type}`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${file.filename}"`,
    '',
    ...lines,
    '--b--',
    '',
  ].join('\r\n');
}

/** Its midnight: a report that is made twice begins at the same second. */
export const yesterday = (): Date => new Date(Math.floor(Date.now() / DAY_MS - 1) * DAY_MS);
