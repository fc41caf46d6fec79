/** Reports of other mail servers, as they come: archives, namespaces, gaps, and files that mean harm. */
import { gzipSync } from 'node:zlib';
import { Zip, ZipDeflate, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createMailReports } from '../../src/providers/mail-reports/index.ts';
import type { DmarcReport } from '../../src/providers/mail-reports/port.ts';

const reports = createMailReports();
const file = (content: string | Uint8Array, type = 'application/octet-stream', filename = '') => ({
  type,
  filename,
  content: Buffer.from(content as string),
});
const only = (content: string | Uint8Array, type?: string, filename?: string) => {
  const found = reports.read([file(content, type, filename)]);
  expect(found).toHaveLength(1);
  return found[0]!;
};
const dmarc = (content: string | Uint8Array): DmarcReport => {
  const report = only(content);
  if (report.kind !== 'dmarc') throw new Error(`it is ${JSON.stringify(report)}`);
  return report;
};

const RECORD = `<record><row><source_ip>198.51.100.7</source_ip><count>3</count>
  <policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>pass</spf></policy_evaluated></row>
  <identifiers><header_from>Acme.example</header_from></identifiers>
  <auth_results>
    <dkim><domain>acme.example</domain><selector>s1</selector><result>fail</result></dkim>
    <dkim><domain>relay.example</domain><result>pass</result></dkim>
    <spf><domain>acme.example</domain><result>pass</result></spf>
  </auth_results></record>`;
const document = (records = RECORD, root = '<feedback>') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${root}
  <report_metadata><org_name>Big &amp; Mail</org_name><email>dmarc@big.example</email>
    <report_id>77-1</report_id><date_range><begin>1767225600</begin><end>1767311999</end></date_range>
  </report_metadata>
  <policy_published><domain>ACME.example.</domain><p>none</p></policy_published>${records}</feedback>`;

/** As Java's writer makes it: the local header holds no size, a descriptor after the file does. */
function streamedZip(text: string): Buffer {
  const chunks: Uint8Array[] = [];
  const archive = new Zip((_error, chunk) => void chunks.push(chunk));
  const entry = new ZipDeflate('big!acme.xml');
  archive.add(entry);
  entry.push(Buffer.from(text), true);
  archive.end();
  return Buffer.concat(chunks);
}

describe('a DMARC report', () => {
  it('is read with who sent it, on which day, and each source', () => {
    expect(dmarc(document())).toEqual({
      kind: 'dmarc',
      organization: 'Big & Mail',
      reportId: '77-1',
      domain: 'acme.example',
      beginsAt: new Date('2026-01-01T00:00:00Z'),
      endsAt: new Date('2026-01-01T23:59:59Z'),
      rows: [
        {
          source: '198.51.100.7',
          messages: 3,
          disposition: 'none',
          dkim: 'fail',
          spf: 'pass',
          headerFrom: 'acme.example',
          authResults: 'dkim=fail acme.example/s1; dkim=pass relay.example; spf=pass acme.example',
        },
      ],
    });
  });

  it.each([
    ['gzip', gzipSync(document())],
    ['zip', zipSync({ 'big!acme.xml': Buffer.from(document()) })],
    [
      'zip with folders and what macOS adds',
      zipSync({
        'out/': new Uint8Array(),
        '__MACOSX/._r.xml': Buffer.from('x'),
        'out/readme.txt': Buffer.from('hello'),
        'out/r.XML': Buffer.from(document()),
      }),
    ],
    ['zip written as a stream, with its sizes behind the file', streamedZip(document())],
    ['gzip with something behind it', Buffer.concat([gzipSync(document()), Buffer.alloc(9)])],
    ['stored zip', zipSync({ 'r.xml': [Buffer.from(document()), { level: 0 }] })],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF\n${document()}`)],
    ['UTF-16', Buffer.from(`\uFEFF${document()}`, 'utf16le')],
  ])('is known by its bytes, whatever its type says: %s', (_how, content) => {
    expect(dmarc(content)).toEqual(dmarc(document()));
  });

  it('may be of RFC 9990, with its namespace, a prefix, and the disposition pass', () => {
    const record = RECORD.replace('>none<', '>pass<');
    const plain = document(record, '<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">');
    const prefixed = plain
      .replace('xmlns=', 'xmlns:d=')
      .replaceAll(/<(\/?)(?=[a-z])/g, '<$1d:')
      .replace('<d:?xml', '<?xml');
    expect(dmarc(plain).rows[0]).toMatchObject({ disposition: 'pass', spf: 'pass' });
    expect(dmarc(prefixed)).toEqual(dmarc(plain));
  });

  it('leaves out records without a source, a number, or a verdict, and keeps the others', () => {
    const broken = [
      RECORD.replace('198.51.100.7', 'a server'),
      RECORD.replace('<count>3</count>', ''),
      RECORD.replace('<count>3<', '<count>-3<'),
      RECORD.replace(/<policy_evaluated>.*<\/policy_evaluated>/s, ''),
    ];
    expect(dmarc(document([...broken, RECORD].join(''))).rows).toHaveLength(1);
  });

  it('that is cut short in a record keeps what came whole', () => {
    const cut = document(`${RECORD}${RECORD}`).slice(0, -60);
    expect(dmarc(cut).rows.length).toBeGreaterThanOrEqual(1);
  });

  it.each([
    'org_name>Big &amp; Mail</org_name><email>dmarc@big.example</email',
    'report_id>77-1</report_id',
    'domain>ACME.example.</domain',
    'begin>1767225600</begin',
  ])('without <%s is unusable', (part) => {
    const xml = document('').replace(`<${part}>`, '');
    expect(only(xml, 'text/xml')).toMatchObject({ kind: 'unusable' });
  });
});

describe('a TLS report', () => {
  const policy = (domain: string) => ({
    policy: { 'policy-type': 'sts', 'policy-domain': domain },
    summary: { 'total-successful-session-count': 50, 'total-failure-session-count': 7 },
    'failure-details': [
      {
        'result-type': 'certificate-expired',
        'receiving-mx-hostname': 'mail.acme.example',
        'failed-session-count': 5,
      },
      { 'result-type': 'nonsense' },
    ],
  });
  const json = (policies: unknown[]) =>
    JSON.stringify({
      'organization-name': 'Big Mail',
      'date-range': {
        'start-datetime': '2026-01-01T00:00:00Z',
        'end-datetime': '2026-01-01T23:59:59Z',
      },
      'contact-info': 'tls@big.example',
      'report-id': 'T1',
      policies,
    });

  it('is read for each domain, with what is not explained', () => {
    const content = gzipSync(json([policy('acme.example'), policy('Other.example'), { odd: 1 }]));
    const found = reports.read([file(content, 'application/tlsrpt+gzip')]);
    expect(found.map((one) => one.kind === 'tls' && one.domain)).toEqual([
      'acme.example',
      'other.example',
    ]);
    expect(found[0]).toMatchObject({
      kind: 'tls',
      organization: 'Big Mail',
      reportId: 'T1',
      beginsAt: new Date('2026-01-01T00:00:00Z'),
      rows: [
        { source: 'sts', result: 'success', sessions: 50 },
        { source: 'mail.acme.example', result: 'certificate-expired', sessions: 5 },
        { source: 'sts', result: 'unexplained', sessions: 2 },
      ],
    });
  });

  it.each(['{"policies":[]}', '{', json([]).replace('2026-01-01T00:00:00Z', 'yesterday')])(
    'that says too little is unusable: %s',
    (text) => {
      expect(only(text, 'application/tlsrpt+json')).toMatchObject({ kind: 'unusable' });
    },
  );
});

describe('a file that means harm', () => {
  const bomb = Buffer.alloc(60 * 1_024 * 1_024);

  it.each([
    ['gzip', gzipSync(bomb)],
    ['zip', zipSync({ 'r.xml': bomb })],
    [
      'zip of many',
      zipSync(
        Object.fromEntries(
          Array.from({ length: 30 }, (_, at) => [`${at}.xml`, Buffer.from('<a/>')]),
        ),
      ),
    ],
    ['large', Buffer.alloc(6 * 1_024 * 1_024, 60)],
    ['broken zip', zipSync({ 'r.xml': Buffer.from(document()) }).subarray(0, 100)],
    ['broken gzip', gzipSync(document()).subarray(0, 100)],
    ['deep', document('<a>'.repeat(100))],
    [
      'many records',
      document(RECORD.replace(/<auth_results>.*<\/auth_results>/s, '').repeat(20_001)),
    ],
  ])('is unusable, within a second: %s', (_how, content) => {
    const before = process.cpuUsage();
    expect(only(content, 'application/zip', 'r.zip')).toMatchObject({ kind: 'unusable' });
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });

  it('that lies about its size is still counted', () => {
    const zip = Buffer.from(zipSync({ 'r.xml': bomb }));
    // The size in the local header and in the directory: it claims ten bytes.
    zip.writeUInt32LE(10, 22);
    zip.writeUInt32LE(10, zip.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 24);
    expect(only(zip, 'application/zip')).toMatchObject({ kind: 'unusable' });
  });

  it('expands no entity of a DTD', () => {
    const dtd =
      '<!DOCTYPE feedback [<!ENTITY a "aaaaaaaaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    const xml = document().replace('<feedback>', `${dtd}<feedback>`).replace('77-1', '&a;&f;');
    expect(dmarc(xml).reportId).toBe('&a;&f;');
  });
});

describe('what is no report', () => {
  it.each([
    ['a letter', 'Hello, we have a problem with your server.', 'text/plain', ''],
    ['a page', '<html><body>Hi</body></html>', 'text/html', ''],
    ['other XML', '<invoice><id>7</id></invoice>', 'text/xml', 'invoice.xml'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'image/png', 'a.png'],
    ['other JSON', '{"a":1}', 'application/json', 'a.json'],
  ])('is passed over: %s', (_what, content, type, filename) => {
    expect(reports.read([file(content, type, filename)])).toEqual([]);
  });
});
