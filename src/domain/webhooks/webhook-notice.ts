/** The message to an account whose endpoint was disabled. Choice 45. */
import type { DisabledReason } from './webhook-health.ts';
import { parseUrl } from '../url.ts';

export interface DisabledEndpoint {
  id: number;
  url: string;
  reason: DisabledReason;
  disabledAt: Date;
  failingSince: Date | null;
}

/** The URL is cut to its host: the rest may contain confidential data. */
export function disabledNotice(
  { id, url, reason, disabledAt, failingSince }: DisabledEndpoint,
  api: string,
): { subject: string; text: string } {
  const host = parseUrl(url)?.host ?? 'your server';
  const since = failingSince === null ? '' : ` since ${minuteOf(failingSince)}`;
  const why =
    reason === 'gone'
      ? 'it answered 410 Gone, which says that it wants no more'
      : `it took nothing${since}`;
  const lines = [
    `Webhook ${id} at ${host} was disabled on ${minuteOf(disabledAt)}: ${why}.`,
    '',
    'Nothing is posted to it and no event is noted for it. What was noted before is kept as long',
    'as other events. When the endpoint works again, enable it:',
    '',
    `PATCH ${api.replace(/\/$/, '')}/v1/webhooks/${id} with {"isActive": true}`,
    '',
    'What happened meanwhile is listed by GET /v1/events.',
  ];
  return { subject: `Webhook ${id} at ${host} was disabled`, text: `${lines.join('\n')}\n` };
}

const minuteOf = (date: Date): string =>
  `${date.toISOString().slice(0, 16).replace('T', ' ')} (UTC)`;
