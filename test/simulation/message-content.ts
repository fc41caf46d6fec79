/** A message as its reader sees it. */
import type { RawMessage } from '../../src/providers/mail-transport/port.ts';
import type { Observed } from './rules.ts';

const endOfHead = (raw: Buffer): number => raw.indexOf('\r\n\r\n');

/** Its headers by name; empty where it has none. */
function headersOf({ raw }: RawMessage): (name: string) => string {
  const head = raw
    .subarray(0, endOfHead(raw))
    .toString('utf8')
    .replaceAll(/\r\n[ \t]+/g, ' ');
  return (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
}

export const messageIdOf = (message: RawMessage): string => headersOf(message)('Message-ID');

export function contentOf(message: RawMessage): Pick<Observed, 'body' | 'headers'> {
  const { raw } = message;
  const of = headersOf(message);
  return {
    body: raw.subarray(endOfHead(raw)).toString('utf8').replaceAll('=\r\n', ''),
    headers: {
      subject: of('Subject'),
      inReplyTo: of('In-Reply-To'),
      references: of('References'),
      unsubscribe: of('List-Unsubscribe'),
      oneClick: of('List-Unsubscribe-Post'),
    },
  };
}
