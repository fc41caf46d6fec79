/** The Message-IDs of campaigns. RFC 5322, 3.6.4. */
import { createHmac, hkdfSync } from 'node:crypto';

export interface MessageIdSettings {
  /** The first key makes them. */
  ENCRYPTION_KEYS: string;
}

/**
 * The same at every attempt from the same mailbox to the same address, also after a restore; another one (`again`: how
 * many there were) where the lead has begun anew and is back at an address that a message was put off for. Nobody without the key
 * can tell it from ids and addresses: who names it in a report or an answer has had the message.
 */
export function messageIdOf(
  { ENCRYPTION_KEYS: keys }: MessageIdSettings,
  {
    campaignId,
    leadId,
    position,
    again,
  }: { campaignId: number; leadId: number; position: number; again: number },
  { email, emailKey }: { email: string; emailKey: string | null },
): string {
  const seed = `letter/${campaignId}/${leadId}/${position}/${emailKey}${again > 0 ? `/${again}` : ''}`;
  const token = createHmac('sha256', keyOf(keys)).update(seed).digest('base64url').slice(0, 27);
  return `<${token}@${email.slice(email.lastIndexOf('@') + 1)}>`;
}

const derived = new Map<string, Buffer>();

function keyOf(keys: string): Buffer {
  const [first = ''] = keys.split(',');
  const known = derived.get(first);
  if (known) return known;
  const key = Buffer.from(hkdfSync('sha256', first.trim(), '', 'outreach message ids', 32));
  derived.set(first, key);
  return key;
}
