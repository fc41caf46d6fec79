/** Bodies that are small on the wire and huge when unpacked. */
import { once } from 'node:events';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';

const makers = {
  gzip: () => createGzip({ level: 1 }),
  deflate: () => createDeflate({ level: 1 }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
} as const;

/** `head`, then zeros up to `bytes`, compressed. */
export async function bomb(
  encoding: keyof typeof makers,
  head: string,
  bytes: number,
): Promise<Buffer> {
  const stream = makers[encoding]();
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  stream.write(head);
  const block = Buffer.alloc(1024 * 1024, ' ');
  for (let left = bytes; left > 0; left -= block.length) {
    if (!stream.write(block)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'end');
  return Buffer.concat(parts);
}
