/** From a page's raw bytes to its findings: decompressed, decoded, extracted. */
import { decodeHtml } from './charset.ts';
import { decompressPart, decompressWhole, MAX_PAGE_BYTES } from './decompress.ts';
import { readInPlace } from './extract/index.ts';
import type { PageFindings } from './extract/types.ts';

export interface PageBytes {
  body: Uint8Array;
  /** The headers `Content-Encoding`, which MUST be a known one, and `Content-Type`. */
  encoding: string;
  contentType: string;
  url: string;
  countryCode: string | null;
}

/** The findings, or why there are none: the end of a sentence "What acme.com sends ...". */
export type ParsedPage = { findings: PageFindings } | { why: string };

/** The findings share memory with the page: callers copy what they keep. */
export async function parsePage(page: PageBytes): Promise<ParsedPage> {
  const { encoding, contentType, url, countryCode } = page;
  const { buffer, byteOffset, byteLength } = page.body;
  const body = Buffer.from(buffer, byteOffset, byteLength);
  const plain =
    decompressWhole(body, encoding, MAX_PAGE_BYTES) ??
    (await decompressPart(body, encoding, MAX_PAGE_BYTES));
  if (plain.length === 0 && body.length > 0) return { why: 'cannot be unpacked' };
  if (isBinary(plain)) return { why: 'is not a page' };
  const html = decodeHtml(plain, contentType, new URL(url).hostname);
  return { findings: readInPlace({ html, url, countryCode }) };
}

/** Text has no zero bytes at its start, except in UTF-16, which has a byte order mark. */
function isBinary(plain: Buffer): boolean {
  const isUtf16 = plain.length > 1 && [0xfeff, 0xfffe].includes(plain.readUInt16BE(0));
  return !isUtf16 && plain.subarray(0, 512).includes(0);
}
