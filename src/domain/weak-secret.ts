/** Detects secrets that were not generated randomly: examples, placeholders, patterns. */

/** Words of examples and templates; a random text of any usual length holds none of them. */
const EXAMPLE_WORDS =
  /change.?me|change.?this|example|placeholder|insert.?here|your.?(own|secret|key|token|jwt)|super.?secret|secret.?(key|value)|jwt.?secret|my.?secret|password|development|sandbox/i;

/** Random hexadecimal text of 32 characters has about 14 different ones, and never so few. */
const MIN_DIFFERENT_CHARACTERS = 8;

/** 32 random bytes hold about 30 different ones, and never so few. */
const MIN_DIFFERENT_BYTES = 16;

/** Passwords of examples, which are too short for the rules above. */
const EXAMPLE_PASSWORDS = ['secret', 'password', 'changeme', 'change-me', 'example'];

/** True for an example, a word, one character repeated, or a short piece repeated. */
export const isWeakSecret = (secret: string): boolean =>
  EXAMPLE_WORDS.test(secret) ||
  new Set(secret).size < MIN_DIFFERENT_CHARACTERS ||
  /^(.{1,20})\1+$/s.test(secret);

/** The same for 32 bytes in base64; what is no base64 is left to whoever reads the key. */
export function isWeakKey(base64: string): boolean {
  let bytes: number[];
  try {
    bytes = Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return false;
  }
  const steps = bytes.slice(1).map((byte, at) => (byte - bytes[at]! + 256) % 256);
  return (
    new Set(bytes).size < MIN_DIFFERENT_BYTES ||
    new Set(steps).size === 1 ||
    // Somebody's words: 32 random bytes are never all printable.
    bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  );
}

/** True for a token or key that says of itself what it is for. */
export const isExample = (secret: string): boolean => EXAMPLE_WORDS.test(secret);

export const isExamplePassword = (password: string): boolean =>
  EXAMPLE_PASSWORDS.includes(password.toLowerCase());
