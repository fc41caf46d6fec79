/** Lets a test wait for an event instead of a time: one side opens the signal, then the other continues. */
export function createSignal(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
