/** A letter's headers and parts, read from its bytes, whoever reads them. */
import { contentOf, sizeOf, textOf } from './mime-content.ts';
import { readOddLetter } from './mime-fallback.ts';
import { OddLetter, type Header } from './mime-headers.ts';
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

export interface MimeLetter {
  /** In their order, by lower-case name, unfolded; encoded words are still encoded. */
  headers: readonly Header[];
  parts: readonly MimePart[];
}

/** Reads the common shapes. Throws `OddLetter` for the others, also from the functions of a part. */
export function readPlainLetter(source: Buffer): MimeLetter {
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
 * What `use` makes of the letter, which it may be shown twice: by our own reader, and by a full parser
 * where the letter is of no common shape. With the full parser alone a first sync costs 1.4 times the
 * CPU (docs/benchmarks.md). Throws for a letter that nests too deep.
 */
export async function withLetter<T>(source: Buffer, use: (letter: MimeLetter) => T): Promise<T> {
  try {
    return use(readPlainLetter(source));
  } catch (error) {
    if (!(error instanceof OddLetter)) throw error;
    return use(await readOddLetter(source));
  }
}
