/** The keys of test mode, made of those of live mode: what one mode has sealed or signed says nothing to the other. */
import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** `keys` is `id:base64`, comma separated, as in ENCRYPTION_KEYS; what is malformed stays so, and is refused later. */
export const testKeys = (keys: string): string =>
  keys
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const colon = entry.indexOf(':');
      const key = Buffer.from(entry.slice(colon + 1), 'base64');
      if (colon < 1 || key.length !== KEY_BYTES) return entry;
      const made = hkdfSync('sha256', key, '', 'outreach test mode', KEY_BYTES);
      return `${entry.slice(0, colon)}:${Buffer.from(made).toString('base64')}`;
    })
    .join(',');
