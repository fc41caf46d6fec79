/** The contract of secrets at rest; `src/encryption/cipher.ts` implements it with AES-256-GCM. */
export interface Cipher {
  /** `boundTo` names the row (`mailbox:7:password`): the ciphertext cannot be opened for another. */
  seal(plaintext: string, boundTo: string): Buffer;
  /** Throws when the key is unknown, the text was changed or belongs to another row. */
  open(sealed: Buffer, boundTo: string): string;
}

/** The same for bytes, such as payloads of workflows. */
export interface ByteCipher {
  /** Id of the sealing key. */
  keyId: string;
  seal(plaintext: Uint8Array, boundTo: string): Buffer;
  open(sealed: Buffer, boundTo: string): Buffer;
}

/** Bytes as they come; whoever stops reading ends it. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** The same for streams that do not fit into memory, such as backups of mail hosts. */
export interface StreamCipher {
  seal(plain: ByteStream, boundTo: string): AsyncGenerator<Uint8Array>;
  /**
   * Throws when the key is unknown, or the stream was cut, changed, moved in parts or belongs to something else; what
   * was given out before then is genuine, and not all.
   */
  open(sealed: ByteStream, boundTo: string): AsyncGenerator<Uint8Array>;
}
