/** Decodes content encodings within a limit: a decompression bomb is cut off, not unpacked. */
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';

/** The limit of a page's size, both as it is sent and unpacked. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** How much is fed to a decoder between two checks of its output. */
const STEP_BYTES = 16 * 1024;

interface Codec {
  atOnce(body: Buffer, options: ZlibOptions): Buffer;
  stepwise(): NodeJS.ReadWriteStream & { destroy(): void };
  /**
   * The flush mode with which a truncated body is no error: a page that was cut off is read as far as
   * it goes.
   */
  flush: number;
}

const gzip: Codec = { atOnce: gunzipSync, stepwise: createGunzip, flush: constants.Z_SYNC_FLUSH };
const zlib: Codec = { ...gzip, atOnce: inflateSync, stepwise: createInflate };
const raw: Codec = { ...gzip, atOnce: inflateRawSync, stepwise: createInflateRaw };
const brotli: Codec = {
  atOnce: brotliDecompressSync,
  stepwise: createBrotliDecompress,
  flush: constants.BROTLI_OPERATION_FLUSH,
};

/** Whether `encoding`, the `Content-Encoding`, is one that we undo: one at most, never nested. */
export function isKnownEncoding(encoding: string): boolean {
  return ['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br'].includes(named(encoding));
}

/**
 * The plain body where one call can decode it; undefined when it is larger than `limitBytes` or broken:
 * `decompressPart` handles those. `encoding` MUST be a known one.
 */
export function decompressWhole(
  body: Buffer,
  encoding: string,
  limitBytes: number,
): Buffer | undefined {
  const codec = codecOf(body, named(encoding));
  if (!codec) return body.subarray(0, limitBytes);
  try {
    const chunkSize = Math.min(likelyLength(codec, body), limitBytes);
    return codec.atOnce(body, { finishFlush: codec.flush, maxOutputLength: limitBytes, chunkSize });
  } catch {
    return undefined;
  }
}

/**
 * A buffer of the right size avoids joining chunks; gzip stores the length at its end (RFC 1952 2.3.1).
 */
function likelyLength(codec: Codec, body: Buffer): number {
  const statedLength =
    codec === gzip && body.length >= 18 ? body.readUInt32LE(body.length - 4) + 1 : 0;
  return Math.max(LEAST_CHUNK_BYTES, statedLength);
}

const LEAST_CHUNK_BYTES = 32 * 1024;

/** The output up to the limit or the first broken place; an empty buffer when there is none. */
export function decompressPart(
  body: Buffer,
  encoding: string,
  limitBytes: number,
): Promise<Buffer> {
  const codec = codecOf(body, named(encoding));
  return codec ? stepwise(codec, body, limitBytes) : Promise.resolve(body.subarray(0, limitBytes));
}

const named = (encoding: string): string => encoding.trim().toLowerCase();

function codecOf(body: Buffer, encoding: string): Codec | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gzip;
  if (encoding === 'br') return brotli;
  if (encoding !== 'deflate') return undefined;
  // "deflate" is the zlib format (RFC 9110 8.4.1.2), but some servers send it without its frame.
  const isFramed = body.length > 1 && (body[0]! & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
  return isFramed ? zlib : raw;
}

function stepwise(codec: Codec, body: Buffer, limitBytes: number): Promise<Buffer> {
  const decoder = codec.stepwise();
  const parts: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const finish = () => {
      decoder.destroy();
      resolve(Buffer.concat(parts).subarray(0, limitBytes));
    };
    decoder.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length >= limitBytes) finish();
    });
    decoder.once('end', finish);
    decoder.once('error', finish);
    void feed(decoder, body, () => length >= limitBytes);
  });
}

async function feed(
  decoder: NodeJS.ReadWriteStream & { destroyed?: boolean },
  body: Buffer,
  isEnough: () => boolean,
): Promise<void> {
  for (let at = 0; at < body.length && !isEnough(); at += STEP_BYTES) {
    const step = body.subarray(at, at + STEP_BYTES);
    await new Promise<void>((resolve) => {
      decoder.write(step, () => resolve());
      decoder.once('error', () => resolve());
      decoder.once('close', () => resolve());
    });
    if (decoder.destroyed) return;
  }
  if (!isEnough()) decoder.end();
}
