/** A message as MIME: its headers, and the parts with content of their own. RFC 2045. */
import type { Header } from './mime-headers.ts';

/** A part with content of its own. */
export interface MimePart {
  /** IMAP part number, by which the host returns this part alone. RFC 9051, 6.4.5.1: `1`, `2.1`. */
  number: string;
  /** Lower case, without parameters. */
  type: string;
  /** The parameter of the type; may hold encoded words. */
  name: string | undefined;
  /** Lower case; empty where none is given. */
  disposition: string;
  /** The parameter of the disposition; may hold encoded words. */
  filename: string | undefined;
  contentId: string | undefined;
  /** Parts of one multipart/alternative have the same; 0 for none. */
  alternative: number;
  /** Bytes of the content, transfer encoding undone. */
  size(): number;
  bytes(): Buffer;
  text(): string;
}

export interface MimeMessage {
  /** In their order, names in lower case, unfolded; encoded words are still encoded. */
  headers: readonly Header[];
  parts: readonly MimePart[];
}
