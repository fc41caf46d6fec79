/** Messages of unusual shapes, read by postal-mime: comments in headers, encoded names, rare charsets. */
import { isUtf8 } from 'node:buffer';
import PostalMime from 'postal-mime';
import { charsetOf, decoded, unflowed } from './mime-content.ts';
import { charsetOfHeaders, headText, OddMessage } from './mime-headers.ts';
import type { MimeMessage, MimePart } from './mime-message.ts';
import { endOfHead } from './mime-tree.ts';

/** What postal-mime's tree says about a part; its API returns contents without part numbers. */
interface Node {
  childNodes: Node[];
  headers: { key: string; value: string }[];
  contentType: { parsed: Structured; multipart: string | false };
  contentDisposition: { parsed: Structured };
  contentId?: string | undefined;
  content: ArrayBuffer | null;
  getTextContent(): string;
}

interface Structured {
  value: string;
  params: Record<string, string>;
}

/** Throws for a message that nests too deep or has megabytes of headers. */
export async function readOddMessage(source: Buffer): Promise<MimeMessage> {
  const parser = new PostalMime({ maxNestingDepth: 50, maxRfc822NestingDepth: 0 });
  await parser.parse(withSoftBreaks(withReadableHead(source)));
  const { root } = parser as unknown as { root: Node };
  const parts: MimePart[] = [];
  let alternatives = 0;
  const walk = (node: Node, number: string, around: number): void => {
    const { multipart } = node.contentType;
    if (!multipart) {
      parts.push(partOf(node, number === '' ? '1' : number, around));
      return;
    }
    const alternative = multipart === 'alternative' ? (alternatives += 1) : around;
    for (const [at, child] of node.childNodes.entries()) {
      walk(child, number === '' ? `${at + 1}` : `${number}.${at + 1}`, alternative);
    }
  };
  walk(root, '', 0);
  return { headers: root.headers.map(({ key, value }) => ({ key, value })), parts };
}

function partOf(node: Node, number: string, alternative: number): MimePart {
  const content = Buffer.from(node.content ?? new ArrayBuffer(0));
  return {
    number,
    type: node.contentType.parsed.value,
    name: node.contentType.parsed.params['name'],
    disposition: node.contentDisposition.parsed.value,
    filename: node.contentDisposition.parsed.params['filename'],
    contentId: node.contentId,
    alternative,
    size: () => content.length,
    bytes: () => content,
    text: () => textOf(node, content),
  };
}

/** Its own way with flowed lines joins a quote and what is below it, and without a charset it takes UTF-8. */
function textOf(node: Node, content: Buffer): string {
  const { parsed } = node.contentType;
  const { params } = parsed;
  const charset = charsetOf(content, parsed);
  try {
    return unflowed(decoded(content, charset), params);
  } catch (error) {
    if (!(error instanceof OddMessage)) throw error;
  }
  // A rare charset.
  parsed.params = { ...params, charset, format: '' };
  const text = node.getTextContent();
  parsed.params = params;
  return unflowed(text, params);
}

/** It knows UTF-8 alone there. */
function withReadableHead(source: Buffer): Buffer {
  const { end } = endOfHead(source, 0, []);
  const head = source.subarray(0, end);
  if (isUtf8(head)) return source;
  const text = headText(head, () => charsetOfHeaders(source));
  return Buffer.concat([Buffer.from(text), source.subarray(end)]);
}

/** It keeps soft breaks with blanks behind them. Other lines that end so lose blanks that nobody sees. */
function withSoftBreaks(source: Buffer): Buffer {
  if (!source.includes('= ') && !source.includes('=\t')) return source;
  const text = source.toString('latin1');
  if (!/quoted-printable/i.test(text)) return source;
  return Buffer.from(text.replaceAll(/=[ \t]+(?=\r*(?:\n|$))/g, '='), 'latin1');
}
