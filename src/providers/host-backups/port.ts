/** The port of the place where backups of mail hosts are kept. Every operation throws only `ProviderError`. */
import type { ByteStream } from '../../domain/cipher.ts';

/** One backup; `boundTo` names the server that it is of, and it opens for no other. */
export interface HostBackup {
  name: string;
  boundTo: string;
}

export interface HostBackups {
  /** Seals what it is given. MUST leave nothing under the name unless all of it has arrived. */
  keep(backup: HostBackup, content: ByteStream): Promise<void>;

  /** Names of all that there are, whichever server they are of. */
  list(): Promise<string[]>;

  /**
   * MUST throw `rejected` where there is none, where it is cut or changed, or where it is another server's; the last
   * three may show only after a part of it was given out.
   */
  open(backup: HostBackup): ByteStream;
}
