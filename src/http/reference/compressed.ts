/** Large files of the reference page: made when they are first asked for, and kept compressed alone. */
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

export interface LargeFile {
  type: string;
  cacheControl: string;
  make: () => Promise<string | Buffer>;
}

/** Answers with the file, or with 304 where the client has it. */
export function serveCompressed({ type, cacheControl, make }: LargeFile): RequestHandler {
  let made: Promise<Zipped> | undefined;
  return async (request, response) => {
    made ??= zip(make).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    const { bytes, etag } = await made;
    response.type(type).set({ 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding' });
    if (request.acceptsEncodings('gzip')) {
      response.set('Content-Encoding', 'gzip').send(bytes);
    } else if (request.fresh || request.method === 'HEAD') {
      response.status(request.fresh ? 304 : 200).end();
    } else {
      // Unpacked as it is read: who does not read costs no memory. An end of theirs is no error of ours.
      pipeline(Readable.from([bytes]), createGunzip(), response, () => {});
    }
  };
}

interface Zipped {
  bytes: Buffer;
  etag: string;
}

async function zip(make: LargeFile['make']): Promise<Zipped> {
  const content = await make();
  const digest = createHash('sha256').update(content).digest('base64url');
  // Weak: it is the same for the compressed form and the plain one.
  return { bytes: await promisify(gzip)(content, { level: 9 }), etag: `W/"${digest}"` };
}
