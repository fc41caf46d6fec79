/** What still arrives of a request after its answer: read slowly, up to a limit, and discarded. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface RestLimits {
  /**
   * How long, and how large, the rest of a refused request may be, so that its sender can read the
   * answer.
   */
  lingerMs: number;
  lingerBytes: number;
}

/**
 * Bytes of each rest that are read at once; more has to wait for its slice, at 3 MB a second for all of
 * them together. Each byte read is garbage outside V8's heap, and giants at full speed make it mark the
 * whole heap several times a second, on all cores.
 */
const SLICE_BYTES = 65_536;
const SLICE_MS = 20;

interface Rest {
  request: IncomingMessage;
  until: number;
  mostBytes: number;
  /** Bytes of its current slice; at the limit it is paused until the next. */
  taken: number;
}

/** Sees every request before the application does. */
export function createRests({
  lingerMs,
  lingerBytes,
}: RestLimits): (request: IncomingMessage, response: ServerResponse) => void {
  const rests = new Set<Rest>();
  let timer: NodeJS.Timeout | undefined;

  const grantSlice = () => {
    let next: Rest | undefined;
    for (const rest of rests) {
      if (isOver(rest)) rests.delete(rest);
      // A connection that sends nothing does not use up its slice, and takes none from another.
      else if (rest.taken >= SLICE_BYTES) next ??= rest;
    }
    if (rests.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    if (!next) return;
    rests.delete(next);
    rests.add(next);
    next.taken = 0;
    next.request.resume();
  };

  return (request, response) => {
    // Node discards a body that nothing has begun to read, at full speed and without an event.
    if (hasBody(request)) request.read(0);
    response.once('finish', () => {
      if (request.complete) {
        request.resume();
        return;
      }
      const { socket } = request;
      const rest: Rest = {
        request,
        until: performance.now() + lingerMs,
        mostBytes: socket.bytesRead + lingerBytes,
        taken: 0,
      };
      request.on('data', (part: Buffer) => {
        rest.taken += part.length;
        if (rest.taken >= SLICE_BYTES) request.pause();
      });
      rests.add(rest);
      request.resume();
      timer ??= setInterval(grantSlice, SLICE_MS).unref();
    });
  };
}

/** Complete, disconnected, or over its limits. */
function isOver({ request, until, mostBytes }: Rest): boolean {
  if (request.complete) {
    request.removeAllListeners('data').resume();
    return true;
  }
  const { socket } = request;
  if (performance.now() > until || socket.bytesRead > mostBytes) socket.destroy();
  return socket.destroyed;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
