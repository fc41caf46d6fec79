/** Secrets at rest open with the right key for the right row, and in no other case. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCipher } from '../../src/encryption/cipher.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

const REFUSAL = /authenticate|not a sealed secret|not configured/;

describe('a sealed secret', () => {
  it('opens for its row, whatever it says', () => {
    const cipher = createCipher(key('a'));
    for (const text of ['', 'x', 'påss wörd 🔑', 'x'.repeat(100_000)]) {
      expect(cipher.open(cipher.seal(text, 'mailbox:7'), 'mailbox:7')).toBe(text);
    }
  });

  it('does not open for another row', () => {
    const cipher = createCipher(key('a'));
    expect(() => cipher.open(cipher.seal('x', 'mailbox:7'), 'mailbox:8')).toThrow(/authenticate/);
  });

  it('does not open when any byte was changed or cut', () => {
    const cipher = createCipher(key('a'));
    const sealed = cipher.seal('secret', 'row');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => cipher.open(changed, 'row')).toThrow(REFUSAL);
      expect(() => cipher.open(sealed.subarray(0, at), 'row')).toThrow(REFUSAL);
    }
  });

  it('is never the same twice', () => {
    const cipher = createCipher(key('a'));
    expect(cipher.seal('x', 'row')).not.toEqual(cipher.seal('x', 'row'));
  });

  it('opens after a new key came first, and not after its own was removed', () => {
    const [old, young] = [key('old'), key('young')];
    const sealed = createCipher(old).seal('x', 'row');
    expect(createCipher(`${young}, ${old}`).open(sealed, 'row')).toBe('x');
    expect(() => createCipher(young).open(sealed, 'row')).toThrow('not configured');
    const newer = createCipher(`${young},${old}`).seal('x', 'row');
    expect(() => createCipher(old).open(newer, 'row')).toThrow('not configured');
  });
});

describe('ENCRYPTION_KEYS', () => {
  it.each(['', 'a', 'a:short', ':AAAA', `a:${'A'.repeat(44)}x,a:${'A'.repeat(43)}=`])(
    'of %j is refused without repeating it',
    (keys) => {
      expect(() => createCipher(keys)).toThrow(/^ENCRYPTION_KEYS: /);
    },
  );
});
