/** Reads messages as MIME: the common shapes by our own reader, the others by postal-mime. */
import { contentOf, sizeOf, textOf } from './mime-content.ts';
import { readOddMessage } from './mime-fallback.ts';
import { OddMessage } from './mime-headers.ts';
import type { MimeMessage, MimePart } from './mime-message.ts';
import { readTree, type SourcePart } from './mime-tree.ts';

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
 * Returns what `use` makes of the message. `use` may run twice: with our own reader, and with a full
 * parser where the message is of no common shape. With the full parser alone a first sync costs 1.4
 * times the CPU (docs/benchmarks.md). Throws for a message that nests too deep.
 */
export async function withMessage<T>(source: Buffer, use: (message: MimeMessage) => T): Promise<T> {
  try {
    return use(readPlainMessage(source));
  } catch (error) {
    if (!(error instanceof OddMessage)) throw error;
    return use(await readOddMessage(source));
  }
}
