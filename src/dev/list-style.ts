/** How long steps are shown: an updating list on a terminal, plain lines when piped. */

/** Signals stay with us: the list would end the process before the world is stopped. */
export function listStyle() {
  return {
    renderer: 'default',
    fallbackRenderer: 'simple',
    registerSignalListeners: false,
    rendererOptions: { collapseErrors: false },
  } as const;
}
