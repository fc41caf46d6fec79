/** The port of mail clients: what a user's mail program would do with a mailbox. */

/** A mailbox on a mail host. IMAP is on 993, submission on 465, both TLS from the first byte. */
export interface MailboxAccess {
  host: string;
  email: string;
  password: string;
}

/** A letter to be submitted. */
export interface OutgoingLetter {
  to: string;
  subject: string;
  text: string;
  messageId: string;
}

export interface MailTransport {
  /** Logs in on 465 and leaves. MUST check the certificate against the host name. */
  checkSubmission(mailbox: MailboxAccess): Promise<void>;

  /** Logs in on 993 and leaves. MUST check the certificate against the host name. */
  checkImap(mailbox: MailboxAccess): Promise<void>;

  /** Submits one letter; answers the server's last reply. `outcome_unknown` when lost after DATA. */
  submit(mailbox: MailboxAccess, letter: OutgoingLetter): Promise<{ reply: string }>;
}
