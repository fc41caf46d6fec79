/** Decodes bytes to text: finds a page's charset by its declarations and its bytes. */
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decodedBy } from '../../domain/charsets.ts';

/** Browsers search here for a declaration too; some pages have it a little later. */
const PRESCAN_BYTES = 4_096;

/** The usual charset before UTF-8, by top-level domain. */
const LEGACY_CHARSETS: Readonly<Record<string, string>> = {
  ru: 'windows-1251',
  su: 'windows-1251',
  by: 'windows-1251',
  ua: 'windows-1251',
  bg: 'windows-1251',
  kz: 'windows-1251',
  rs: 'windows-1250',
  pl: 'windows-1250',
  cz: 'windows-1250',
  sk: 'windows-1250',
  hu: 'windows-1250',
  ro: 'windows-1250',
  si: 'windows-1250',
  hr: 'windows-1250',
  gr: 'windows-1253',
  tr: 'windows-1254',
  il: 'windows-1255',
  lt: 'windows-1257',
  lv: 'windows-1257',
  ee: 'windows-1257',
  th: 'windows-874',
  jp: 'shift_jis',
  kr: 'euc-kr',
  cn: 'gb18030',
  tw: 'big5',
};

/**
 * The text of a page. In order: byte order mark, header, `<meta>` (labels of the WHATWG encoding
 * standard), UTF-8 where the bytes are valid UTF-8, the country's usual charset. A label that the bytes
 * contradict is ignored.
 */
export function decodeHtml(bytes: Buffer, contentType: string, host: string): string {
  const marked = byteOrderMark(bytes);
  if (marked) return decodedBy(decoderFor(marked)!, bytes);
  const declared = labelOf(contentType) ?? metaCharset(bytes);
  if (isAscii(bytes) && !isStateful(declared)) return bytes.toString('latin1');
  const whole = withoutCutEnd(bytes);
  const decoder = declared === undefined ? undefined : decoderFor(declared);
  const isValidUtf8 = isUtf8(whole);
  // Text in another charset is practically never valid UTF-8 by accident.
  if (isValidUtf8 && (!decoder || isSingleByte(decoder.encoding))) return whole.toString('utf8');
  if (decoder?.encoding === 'utf-8')
    return isValidUtf8 ? whole.toString('utf8') : misLabelled(bytes, host);
  return decodedBy(decoder ?? decoderFor(legacyCharset(host))!, bytes);
}

/** Labelled UTF-8 but invalid: a few broken characters are accepted, a page full of them is not. */
function misLabelled(bytes: Buffer, host: string): string {
  const text = withoutCutEnd(bytes).toString('utf8');
  const broken = text.split('\uFFFD').length - 1;
  const sound = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0;
  return broken > sound ? decodedBy(decoderFor(legacyCharset(host))!, bytes) : text;
}

function legacyCharset(host: string): string {
  return LEGACY_CHARSETS[host.slice(host.lastIndexOf('.') + 1)] ?? 'windows-1252';
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

/** `text/html; charset="UTF-8"` -> `utf-8`. */
function labelOf(contentType: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w.:+-]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

function metaCharset(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, Math.min(PRESCAN_BYTES, bytes.length));
  const label =
    /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:+-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:+-]+)/.exec(head)?.[1];
  // What could be read as ASCII is not UTF-16, whatever the label (HTML standard, prescan).
  return label?.toLowerCase().replace(/^utf-?16(be|le)?$/, 'utf-8');
}

/** Cached: creating one costs more than decoding a small page. */
const decoders = new Map<string, TextDecoder | undefined>();
const MAX_DECODERS = 64;

/** Undefined for an unknown label. */
function decoderFor(label: string): TextDecoder | undefined {
  if (decoders.has(label)) return decoders.get(label);
  let decoder: TextDecoder | undefined;
  try {
    decoder = new TextDecoder(label);
  } catch {
    decoder = undefined;
  }
  if (decoders.size < MAX_DECODERS) decoders.set(label, decoder);
  return decoder;
}

const isSingleByte = (encoding: string) => /^(windows-|iso-8859|koi8|macintosh|ibm)/.test(encoding);

/** Encodings whose bytes are in the ASCII range but do not mean ASCII. */
const isStateful = (label: string | undefined) =>
  label !== undefined && /^(iso-2022|utf-16|hz)/.test(label);

/** A page that was cut at the limit may end within a character. */
function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < needed ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}
