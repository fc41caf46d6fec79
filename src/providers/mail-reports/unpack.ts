/** Unpacks the file of a report: gzip (RFC 1952), zip, or neither. Only the bytes tell which. */
import { gunzipSync } from 'node:zlib';
import { Unzip, UnzipInflate } from 'fflate';
import { MAX_ENTRIES, MAX_PACKED_BYTES, MAX_UNPACKED_BYTES, Unusable } from './limits.ts';

/** What is handed to the unpacker at once; deflate makes at most 1032 times as much of it. */
const CHUNK_BYTES = 4_096;

/**
 * The unpacked file; of an archive its first entry that is named like a report, else its first one. Throws
 * `Unusable`. An archive within an archive is not unpacked.
 */
export function unpack(packed: Buffer): Buffer {
  if (packed.length > MAX_PACKED_BYTES) throw new Unusable('The file is too large');
  if (packed.length >= 2 && packed[0] === 0x1f && packed[1] === 0x8b) return gunzip(packed);
  if (packed.length >= 4 && packed.readUInt32LE(0) === 0x04034b50) return unzip(packed);
  return packed;
}

function gunzip(packed: Buffer): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw new Unusable(isTooLarge ? 'The file unpacks to too much' : 'The gzip file is broken');
  }
}

function unzip(packed: Buffer): Buffer {
  const entries: { name: string; content: Buffer }[] = [];
  let unpacked = 0;
  let seen = 0;
  const archive = new Unzip((entry) => {
    seen += 1;
    if (seen > MAX_ENTRIES) throw new Unusable('The archive has too many entries');
    // Folders, and what macOS adds.
    if (/\/$|(?:^|\/)(?:__MACOSX\/|\._)/.test(entry.name)) return;
    const chunks: Uint8Array[] = [];
    entry.ondata = (error, chunk, isLast) => {
      if (error) throw new Unusable('The archive is broken');
      unpacked += chunk.length;
      if (unpacked > MAX_UNPACKED_BYTES) throw new Unusable('The archive unpacks to too much');
      chunks.push(chunk.slice());
      if (isLast) entries.push({ name: entry.name, content: Buffer.concat(chunks) });
    };
    entry.start();
  });
  archive.register(UnzipInflate);
  try {
    for (let at = 0; at < packed.length; at += CHUNK_BYTES) {
      const end = Math.min(at + CHUNK_BYTES, packed.length);
      archive.push(packed.subarray(at, end), end === packed.length);
    }
  } catch (error) {
    throw error instanceof Unusable ? error : new Unusable('The archive is broken');
  }
  const chosen = entries.find(({ name }) => /\.(?:xml|json)$/i.test(name)) ?? entries[0];
  if (!chosen) throw new Unusable('The archive holds no report');
  return chosen.content;
}
