/** What of a request comes after its answer: it is let pass slowly, to a limit, and kept by nobody. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface RestLimits {
  /** A refused request's rest may go on for so long, and be so large, so that its sender reads why. */
  lingerMs: number;
  lingerBytes: number;
}

/**
 * So much of each rest passes at once; what is more waits for its turn, all of them together at 3 MB a
 * second. Each byte read is garbage beyond V8's heap, and giants at full speed make it mark the whole
 * heap several times a second, on all cores.
 */
const SLICE_BYTES = 65_536;
const TURN_MS = 20;

interface Rest {
  request: IncomingMessage;
  until: number;
  mostBytes: number;
  /** Of its turn; after it, it stands still until the next. */
  taken: number;
}

/** Takes every request before the application does. */
export function createRests({
  lingerMs,
  lingerBytes,
}: RestLimits): (request: IncomingMessage, response: ServerResponse) => void {
  const rests = new Set<Rest>();
  let turns: NodeJS.Timeout | undefined;

  const turn = () => {
    let next: Rest | undefined;
    for (const rest of rests) {
      if (isOver(rest)) rests.delete(rest);
      // Who is silent has not used up his turn, and takes nobody another one.
      else if (rest.taken >= SLICE_BYTES) next ??= rest;
    }
    if (rests.size === 0) {
      clearInterval(turns);
      turns = undefined;
    }
    if (!next) return;
    rests.delete(next);
    rests.add(next);
    next.taken = 0;
    next.request.resume();
  };

  return (request, response) => {
    // Node dumps what nobody has begun to read, as quickly as it comes and without an event.
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
      turns ??= setInterval(turn, TURN_MS).unref();
    });
  };
}

/** Whole, gone, or more than it may be. */
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
