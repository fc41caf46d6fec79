/**
 * One HTTP request: bounded in time, bytes and memory; a body that was cut at a limit is still used.
 */
import type { Client, Dispatcher } from 'undici';
import type { Holding } from './memory-budget.ts';
import { startStopwatch } from './stopwatch.ts';
import { NOT_CONNECTED, stopError, TIMED_OUT } from './outcome.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Answer {
  status: number;
  headers: Headers;
  /** As it was sent, still compressed; empty when it was not wanted. */
  body: Buffer;
  /** The answer was longer, or stopped in the middle. */
  isCut: boolean;
}

export interface ExchangeRequest {
  /** Path and query. */
  path: string;
  /** Names and values alternate. */
  headers: string[];
  /** For connecting, headers and body together. */
  timeoutMs: number;
  /** Of the body as it is sent. */
  limitBytes: number;
  holding: Holding;
  /** Whether the body is of use; else it is not read. */
  wants: (status: number, headers: Headers) => boolean;
  /** Called with how long the server took, however it ended. */
  onTime: (ms: number) => void;
}

/** The parts that differ between the requests of a visit; the rest is the same for all of them. */
export interface Asked extends Pick<ExchangeRequest, 'limitBytes' | 'holding' | 'wants'> {
  /** How long the site is left alone after this answer, in ms. */
  pauseAfter: (answer: Answer) => number;
}

/**
 * The size an answer is expected to have: no request is sent before there is memory for it. A body of
 * unknown length starts with it, and doubles.
 */
const EXPECTED_BYTES = 12 * 1024;
/** The largest announced length that is trusted. */
const MOST_BELIEVED_BYTES = 256 * 1024;

/** An unwanted body up to this size is read and dropped, so that the connection can be used again. */
const DRAINED_BYTES = 64 * 1024;

/** Rejects when no answer came; a body that stops in the middle is an answer that was cut. */
export async function exchange(client: Client, request: ExchangeRequest): Promise<Answer> {
  await new Promise<void>((resolve) => {
    if (request.holding.grow(EXPECTED_BYTES, resolve)) resolve();
  });
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let begun: { status: number; headers: Headers } | undefined;
    const body = collect(
      request,
      () => controller,
      () => watch,
    );
    let isOver = false;
    const end = (isCut: boolean, error?: Error): void => {
      if (isOver) return;
      isOver = true;
      request.onTime(watch.stop());
      if (begun) resolve({ ...begun, body: body.taken(), isCut });
      else reject(error ?? stopError(TIMED_OUT));
    };
    const stop = (error?: Error): void => {
      end(true, error);
      controller?.abort(error ?? stopError(TIMED_OUT));
    };
    const watch = startStopwatch(request.timeoutMs, () => {
      const isConnecting = controller === undefined;
      stop(stopError(isConnecting ? NOT_CONNECTED : TIMED_OUT));
      // A connection that is still being opened has no controller to abort; one that stands is closed by that alone,
      // and the client opens another one for the next page.
      if (isConnecting) void client.destroy(stopError(NOT_CONNECTED));
    });
    client.dispatch(
      { path: request.path, method: 'GET', headers: request.headers },
      {
        onRequestStart(given) {
          controller = given;
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return;
          begun = { status, headers };
          body.begin(status, headers);
        },
        onResponseData(_controller, chunk) {
          if (!body.add(chunk)) stop();
        },
        onResponseEnd: () => end(false),
        onResponseError: (_controller, error) => end(true, error),
      },
    );
  });
}

interface Collector {
  begin(status: number, headers: Headers): void;
  /** False when nothing more is wanted. */
  add(chunk: Buffer): boolean;
  taken(): Buffer;
}

/**
 * Keeps the wanted part of a body, and pauses the server while there is no memory for it. Bytes are
 * copied together: a million chunks of one byte would take a hundred times their size.
 */
function collect(
  request: ExchangeRequest,
  controller: () => Dispatcher.DispatchController | undefined,
  watch: () => { pause(): void; resume(): void },
): Collector {
  let block = NOTHING;
  let keepsBody = false;
  let length = 0;
  let held = EXPECTED_BYTES;
  const enlarge = (bytes: number): void => {
    const resume = () => {
      watch().resume();
      controller()?.resume();
    };
    if (bytes > held && !request.holding.grow(bytes - held, resume)) {
      watch().pause();
      controller()?.pause();
    }
    held = Math.max(held, bytes);
    const larger = Buffer.allocUnsafeSlow(bytes);
    block.copy(larger, 0, 0, length);
    block = larger;
  };
  return {
    begin(status, headers) {
      keepsBody = request.wants(status, headers);
      if (!keepsBody) return;
      const statedLength = Math.min(Number(headers['content-length'] ?? 0), MOST_BELIEVED_BYTES);
      enlarge(Math.min(statedLength > 0 ? statedLength : EXPECTED_BYTES, request.limitBytes));
    },
    add(chunk) {
      const end = length + chunk.length;
      if (keepsBody) {
        const needed = Math.min(end, request.limitBytes);
        if (needed > block.length) {
          enlarge(Math.min(Math.max(needed, 2 * block.length), request.limitBytes));
        }
        chunk.copy(block, length, 0, needed - length);
        length = needed;
      } else {
        length = end;
      }
      return end <= (keepsBody ? request.limitBytes : DRAINED_BYTES);
    },
    taken: () => (keepsBody ? block.subarray(0, length) : NOTHING),
  };
}

const NOTHING = Buffer.alloc(0);
