/** Follows long work, with a line for each thing that changes, until it is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { positive } from '../arguments.ts';
import { CommandEnd, EXIT, printable, type Io } from '../io.ts';

/** How far something is. */
export interface Progress {
  /** What is new of it; shown when it differs from the line before. */
  lines: readonly string[];
  isDone: boolean;
  /** Why it will not be done; ends the wait. */
  failure?: string | null | undefined;
}

export interface WaitSettings {
  timeout: number;
  /** How to go on watching, such as `outreach clusters watch 7`. */
  again: string;
}

/** Adds `--watch` to a command that begins long work. */
export const withWatch = (command: Command): Command =>
  withTimeout(command.option('--watch', 'follow it until it is over'));

/** Adds `--timeout`. */
export const withTimeout = (command: Command): Command =>
  command.option('--timeout <seconds>', 'give up watching after so long', positive, 3_600);

/** Quick at first, then with regard to the limit of a thousand requests an hour. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/** Reads until it is done and answers what was read last; on stderr it says how far it is. */
export async function follow<State>(
  io: Io,
  read: () => Promise<State>,
  progressOf: (state: State) => Progress,
  { timeout, again }: WaitSettings,
): Promise<State> {
  const end = Date.now() + timeout * 1_000;
  const told = new Set<string>();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.2, LONGEST_PAUSE_MS)) {
    const state = await read();
    const { lines, isDone, failure } = progressOf(state);
    for (const line of lines.filter((one) => one !== '' && !told.has(one))) {
      told.add(line);
      io.err(`${new Date().toISOString().slice(11, 19)}  ${printable(line)}`);
    }
    if (isDone) return state;
    if (typeof failure === 'string') throw new CommandEnd(EXIT.failed, printable(failure));
    const left = end - Date.now();
    if (left <= 0) {
      throw new CommandEnd(EXIT.failed, `Not over after ${timeout} s. It goes on: ${again}`);
    }
    await sleep(Math.min(pauseMs, left));
  }
}

/** `CODE: words`, where there is an error. */
export const wordsOf = (
  error: { code: string; message: string } | null | undefined,
  otherwise: string,
): string => (error ? `${error.code}: ${error.message}` : otherwise);
