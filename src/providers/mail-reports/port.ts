/** The port of mail reports: what other mail servers tell a domain of the mail that came in its name. */

/** One file of a message: an attachment, or a text that may be a report itself. */
export interface ReportFile {
  /** Of the part, in lower case; senders are often wrong about it. */
  type: string;
  filename: string;
  content: Buffer;
}

interface ReportHead {
  /** Who reports, as they call themselves. Nothing proves it. */
  organization: string;
  /** Theirs; unique for one organization only. */
  reportId: string;
  beginsAt: Date;
  endsAt: Date;
}

export type Outcome = 'pass' | 'fail';

/** Messages of one source that were treated alike. RFC 7489, appendix C; RFC 9990. */
export interface DmarcRow {
  /** The address that delivered them. */
  source: string;
  messages: number;
  /** `pass` is what RFC 9990 calls messages that passed; RFC 7489 calls them `none`, as those let through. */
  disposition: 'none' | 'pass' | 'quarantine' | 'reject';
  /** Whether a valid signature, or the envelope's sender, was aligned with the domain of From. */
  dkim: Outcome;
  spf: Outcome;
  headerFrom: string;
  /** What was checked: `dkim=pass acme.com/s1; spf=fail acme.com`. At most 500 characters. */
  authResults: string;
}

export interface DmarcReport extends ReportHead {
  kind: 'dmarc';
  /** Whose policy it is about, in lower case without a final dot. */
  domain: string;
  rows: DmarcRow[];
}

/** Connections of one result to one of our mail servers. RFC 8460, 4.4. */
export interface TlsRow {
  /** Our server, or the name of the policy where none is named. */
  source: string;
  /** `success`, or a result type such as `certificate-expired`. */
  result: string;
  sessions: number;
}

export interface TlsReport extends ReportHead {
  kind: 'tls';
  domain: string;
  rows: TlsRow[];
}

export type MailReport = DmarcReport | TlsReport;

/** A report that cannot be used: broken, or beyond a bound. */
export interface UnusableReport {
  kind: 'unusable';
  /** For people; holds nothing of the report itself. */
  reason: string;
}

export interface MailReports {
  /**
   * The reports in the files of one message; none where it is another message. One TLS report about several
   * domains is several reports. MUST be bounded in time and memory whatever the files hold, resolve no
   * entity, and never throw because of them.
   */
  read(files: readonly ReportFile[]): (MailReport | UnusableReport)[];
}
