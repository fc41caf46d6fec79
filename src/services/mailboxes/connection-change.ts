/** How the audit log tells that a connected mailbox gets another login. Choice 98. */
import { AUDITED_FIELDS, difference } from '../../domain/accounts/audited-values.ts';
import type { MailServer, MailServers } from '../../domain/mailboxes/mail-servers.ts';

interface ToldConnection {
  preset: string | null;
  servers: MailServers;
  password?: string | undefined;
}

/** What of a login is another than before. */
export const connectionChange = (before: ToldConnection, after: ToldConnection) =>
  difference(
    AUDITED_FIELDS.connection,
    toldOf(before),
    toldOf(after),
    after.password === undefined ? [] : ['password'],
  );

const toldOf = ({ preset, servers: { username, smtp, imap, oauth } }: ToldConnection) => ({
  preset,
  username,
  smtp: toldServer(smtp),
  imap: toldServer(imap),
  oauth: oauth?.provider ?? null,
});

/** In one order: Postgres keeps its own, and an order is no change. */
const toldServer = ({ host, port, tls }: MailServer) => ({ host, port, tls });
