/** What commands share: output, formats and exit codes. */

/** A command's output and input; tests pass their own. */
export interface Io {
  out: (text: string) => void;
  err: (text: string) => void;
  environment: NodeJS.ProcessEnv;
  /** Without one nobody can be asked. */
  input?: Input;
}

/** Stdin. */
export interface Input {
  /** A person types; else a file or a program. */
  isTerminal: boolean;
  /** One line of a person. Of a hidden one nothing is shown. */
  ask: (question: string, options?: { isHidden?: boolean }) => Promise<string>;
  /** All of it, until its end. */
  readAll: () => Promise<string>;
}

/** Where a running world says its addresses and keys, beside it. */
export const WORLD_FILE = '.outreach/world.json';

/** How a command ends. Shown by `--help`. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  attention: 5,
  unconfirmed: 6,
} as const;

/** The help text about exit codes. */
export const EXIT_CODES = `
Exit codes:
  0  done; nothing needs attention
  1  it failed: Postgres or Temporal does not answer, a setting is missing
  2  the command line is wrong
  3  there is no such operation or cluster
  4  refused: not possible now, nothing was changed
  5  done, and something needs attention (the output says what)
  6  asked for, but nobody took it up in time`;

/** Ends the command with this code; `message` goes to stderr. */
export class CommandEnd extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** One JSON document on stdout, for programs. */
export const printJson = (io: Io, value: unknown): void =>
  io.out(JSON.stringify(value, undefined, 2));

/** A table with columns as wide as their contents; `none` where there are no rows. */
export function printTable(
  io: Io,
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  none: string,
): void {
  if (rows.length === 0) {
    io.out(none);
    return;
  }
  const lines = [columns, ...rows.map((row) => row.map((cell) => printable(cell)))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  for (const line of lines) {
    io.out(
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** Vendors' texts may contain line breaks and escape sequences: neither reaches a terminal. */
export const printable = (cell: string | number | null): string =>
  // oxlint-disable-next-line no-control-regex -- that is what it is about
  cell === null ? '-' : String(cell).replaceAll(/[\u0000-\u001F\u007F-\u009F]+/g, ' ');

/** `2 min`, `3 h`, `5 d`: how long ago, or `-`. */
export function since(at: Date | null, now = Date.now()): string {
  if (at === null) return '-';
  const minutes = Math.floor((now - at.getTime()) / 60_000);
  if (minutes < 1) return '< 1 min';
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} d`;
}
