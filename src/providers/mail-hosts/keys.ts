/** Fresh SSH keys, proven to work. */
import ssh2 from 'ssh2';

/** Two broken pairs in a row occur less than once in 50,000. */
const MAX_TRIES = 20;

/**
 * An ed25519 pair in OpenSSH form. ssh2 1.17 breaks a key that begins with a zero byte (1 of 256), so
 * each pair is tried before it is trusted.
 */
export function sshKeyPair(comment: string): { privateKey: string; publicKey: string } {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment });
    if (works(pair)) return { privateKey: pair.private, publicKey: pair.public };
  }
  throw new Error('no usable SSH key could be made');
}

function works(pair: { private: string; public: string }): boolean {
  const message = 'a message';
  const privateKey = ssh2.utils.parseKey(pair.private);
  const publicKey = ssh2.utils.parseKey(pair.public);
  if (privateKey instanceof Error || publicKey instanceof Error) return false;
  if (!privateKey.getPublicSSH().equals(publicKey.getPublicSSH())) return false;
  try {
    return publicKey.verify(message, privateKey.sign(message)) === true;
  } catch {
    return false;
  }
}
