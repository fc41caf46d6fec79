/** Messages as they come over the wire. */
import { randomBytes } from 'node:crypto';

/** A plain message; header lines in `headers` are added or replace. */
export function rawMessage(options: {
  from?: string;
  to?: string;
  subject?: string;
  id?: string | null;
  text?: string;
  date?: Date;
  headers?: Record<string, string>;
}): string {
  const { from = 'Ada <ada@client.test>', to = 'm1@acme.test', subject = 'Hello' } = options;
  const { id = `${randomBytes(8).toString('hex')}@client.test`, text = 'Hi there' } = options;
  const lines: Record<string, string> = {
    From: from,
    To: to,
    Subject: subject,
    Date: (options.date ?? new Date()).toUTCString(),
    ...(id !== null && { 'Message-ID': `<${id}>` }),
    ...options.headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  return `${head.join('\r\n')}\r\n\r\n${text.replaceAll(/\r?\n/g, '\r\n')}\r\n`;
}
