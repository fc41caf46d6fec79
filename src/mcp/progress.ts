/** Progress notifications, for callers that gave a token for them. */
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { ToolProgress } from './tool.ts';

type Extra = Pick<
  RequestHandlerExtra<ServerRequest, ServerNotification>,
  '_meta' | 'sendNotification'
>;

/** As little as two notifications may differ by. */
const TINY = 0.01;

/**
 * Tells the caller how far it is, where there is something new. The protocol wants numbers that grow: a new
 * message at the same number, or at a smaller one, adds next to nothing to the last.
 */
export function notifier({ _meta, sendNotification }: Extra): (progress: ToolProgress) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let last = -1;
  let lastMessage = '';
  return ({ done, total, message }) => {
    if (done <= last && message === lastMessage) return;
    last = done > last ? done : last + TINY;
    lastMessage = message;
    const params = { progressToken, progress: last, total: Math.max(total, last), message };
    // A caller that has gone away is told nothing more.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
