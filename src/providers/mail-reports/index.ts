/** Reads the reports of other mail servers, whatever their files are called. */
import { readDmarcReport } from './dmarc.ts';
import { MAX_FILES, Unusable } from './limits.ts';
import type { MailReport, MailReports, ReportFile, UnusableReport } from './port.ts';
import { readTlsReports } from './tls.ts';
import { unpack } from './unpack.ts';

export function createMailReports(): MailReports {
  return { read: (files) => files.slice(0, MAX_FILES).flatMap(readFile) };
}

function readFile(file: ReportFile): (MailReport | UnusableReport)[] {
  try {
    const text = asText(unpack(file.content));
    if (text.startsWith('<')) return [readDmarcReport(text)].flatMap((one) => one ?? []);
    if (text.startsWith('{')) return readTlsReports(text) ?? [];
    return [];
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return isNamedAsReport(file) ? [{ kind: 'unusable', reason: error.message }] : [];
  }
}

/** A broken archive or JSON text of a person is an attachment like any other. */
const isNamedAsReport = ({ type, filename }: ReportFile): boolean =>
  /tlsrpt|gzip|zip|xml/.test(type) || /\.(?:xml|json|gz|zip)$/i.test(filename);

/** UTF-8, or UTF-16 with its mark, as some Windows servers write it. */
function asText(content: Buffer): string {
  const isWide = content.length >= 2 && content[0] === 0xff && content[1] === 0xfe;
  const text = content.toString(isWide ? 'utf16le' : 'utf8');
  return text.replace(/^\uFEFF/, '').trimStart();
}
