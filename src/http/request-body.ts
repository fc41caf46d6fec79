/** Reads a request's body up to its limit: neither oversized bodies nor decompression bombs cost more. */
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { invalid, OutreachError } from '../domain/errors.ts';
import { createUnpackingPace, UNPACKED_AT_ONCE } from './unpacking-pace.ts';

const BYTES_PER_MB = 1_048_576;

/** Choice 47: a body is at most 1 MB, decompressed. */
const MAX_BODY_BYTES = BYTES_PER_MB;

const waitMsOf = createUnpackingPace();

export interface BodyLimits {
  maxBytes?: number | undefined;
  /** Whether it may be compressed. */
  mayBePacked?: boolean;
}

/**
 * The body's bytes, decompressed; empty when there is none. Refuses (`INVALID_INPUT`) as soon as the
 * announced, received or decompressed size exceeds `maxBytes`, and (`RATE_LIMITED`) where too many large
 * bodies are being decompressed. The server handles what is still arriving then: body-parser would read
 * all of it before it answers.
 */
export function readBody(
  request: IncomingMessage,
  { maxBytes = MAX_BODY_BYTES, mayBePacked = true }: BodyLimits = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const unpack = unpackerOf(request.headers['content-encoding'], mayBePacked);
    const source = unpack ?? request;
    const parts: Buffer[] = [];
    let unpacked = 0;
    let arrived = 0;
    let waiting: NodeJS.Timeout | undefined;
    const settle = (error?: Error) => {
      request.off('data', count).off('close', early).off('error', early);
      source.off('data', take);
      clearTimeout(waiting);
      if (unpack) {
        request.unpipe(unpack);
        unpack.destroy();
      }
      if (!error) {
        resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts, unpacked));
        return;
      }
      // Paused until the server reads the rest, or ends the connection.
      request.pause();
      reject(error);
    };
    const take = (part: Buffer) => {
      unpacked += part.length;
      if (unpacked > maxBytes) return settle(tooLarge(maxBytes));
      parts.push(part);
      if (unpack && unpacked > UNPACKED_AT_ONCE) slowDown(part.length);
    };
    const slowDown = (bytes: number) => {
      const ms = waitMsOf(bytes);
      if (ms === null) return settle(tooMany());
      if (ms === 0) return;
      source.pause();
      waiting = setTimeout(() => source.resume(), ms);
    };
    // Compressed bytes may go on for ever and decompress to nothing.
    const count = (part: Buffer) => {
      arrived += part.length;
      if (arrived > maxBytes) settle(tooLarge(maxBytes));
    };
    const early = () => {
      // After a lost connection, buffered bytes are never read.
      if (!request.readableEnded) settle(invalid('INVALID_INPUT', 'The body ended early'));
    };
    source.on('data', take).once('end', () => settle());
    request.once('close', early).once('error', early);
    if (unpack) {
      unpack.on('error', () =>
        settle(invalid('INVALID_INPUT', 'The body is not what Content-Encoding says')),
      );
      request.on('data', count).pipe(unpack);
    }
  });
}

const tooLarge = (maxBytes: number) =>
  invalid('INVALID_INPUT', `The body is larger than ${maxBytes / BYTES_PER_MB} MB`);

const tooMany = () =>
  new OutreachError(
    'rate_limited',
    'RATE_LIMITED',
    'Too many large compressed bodies come at once, try again',
  );

/** Undefined where the body is not compressed. */
function unpackerOf(encoding: string | undefined, mayBePacked: boolean): Transform | undefined {
  const name = (encoding ?? 'identity').toLowerCase();
  if (name === 'identity') return undefined;
  const create = mayBePacked ? UNPACKERS.get(name) : undefined;
  if (!create) throw invalid('INVALID_INPUT', 'Content-Encoding is not supported');
  return create();
}

const UNPACKERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);
