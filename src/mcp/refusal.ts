/** What a tool refuses by itself, before the API is asked. */

interface RefusalFacts {
  code: string;
  /** What the caller can do about it. */
  next: string;
  details?: readonly object[];
}

/** Becomes a tool error like those of the API. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly code: string;
  readonly next: string;
  readonly details: readonly object[];

  constructor(message: string, { code, next, details = [] }: RefusalFacts) {
    super(message);
    this.code = code;
    this.next = next;
    this.details = details;
  }
}
