/** A message's headers and parts, read from its bytes, whoever reads them. */
import { contentOf, sizeOf, textOf } from './mime-content.ts';
import { readOddMessage } from './mime-fallback.ts';
import { OddMessage, type Header } from './mime-headers.ts';
import { readTree, type SourcePart } from './mime-tree.ts';

/** A part with content of its own. */
export interface MimePart {
  /** IMAP's number, so that it can be asked of the host alone. RFC 9051, 6.4.5.1: `1`, `2.1`. */
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
  /** In their order, by lower-case name, unfolded; encoded words are still encoded. */
  headers: readonly Header[];
  parts: readonly MimePart[];
}

/** Reads the common shapes. Throws `OddMessage` for the others, also from the functions of a part. */
export function readPlainMessage(source: Buffer): MimeMessage {
  const { headers, parts } = readTree(source);
  return { headers, parts: parts.map(asPart) };
}

function asPart(part: SourcePart): MimePart {
  const { number, type, disposition, contentId, alternative } = part;
  return {
    number,
    type: type.value,
    name: type.params['name'],
    disposition: disposition.value,
    filename: disposition.params['filename'],
    contentId,
    alternative,
    size: () => sizeOf(part),
    bytes: () => contentOf(part),
    text: () => textOf(part),
  };
}

/**
 * What `use` makes of the message, which it may be shown twice: by our own reader, which is several
 * times quicker, and by a full parser where the message is of no common shape. Throws for a message
 * that nests too deep.
 */
export async function withMessage<T>(source: Buffer, use: (message: MimeMessage) => T): Promise<T> {
  try {
    return use(readPlainMessage(source));
  } catch (error) {
    if (!(error instanceof OddMessage)) throw error;
    return use(await readOddMessage(source));
  }
}
