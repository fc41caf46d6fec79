/** A message as its reader sees it. */
import type { RawMessage } from '../../src/providers/mail-transport/port.ts';
import type { Observed } from './rules.ts';

export function contentOf({ raw }: RawMessage): Pick<Observed, 'body' | 'headers'> {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw
    .subarray(0, end)
    .toString('utf8')
    .replaceAll(/\r\n[ \t]+/g, ' ');
  const of = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  return {
    body: raw.subarray(end).toString('utf8').replaceAll('=\r\n', ''),
    headers: {
      subject: of('Subject'),
      inReplyTo: of('In-Reply-To'),
      references: of('References'),
      unsubscribe: of('List-Unsubscribe'),
      oneClick: of('List-Unsubscribe-Post'),
    },
  };
}
