/** The command line of a client, in this process: what it printed, and how it ended. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Input } from '../../../src/cli/io.ts';
import { runCommand } from '../../../src/cli/program.ts';

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** A person who types these lines; what was asked stands in `questions`. */
export function typing(...lines: string[]): Input & { questions: [string, boolean][] } {
  const questions: [string, boolean][] = [];
  return {
    questions,
    isTerminal: true,
    async ask(question, { isHidden = false } = {}) {
      questions.push([question, isHidden]);
      return lines.shift() ?? '';
    },
    readAll: async () => lines.join('\n'),
  };
}

/** A program that pipes a text in. */
export const piping = (text: string): Input => ({
  isTerminal: false,
  ask: async () => {
    throw new Error('Nobody can be asked');
  },
  readAll: async () => text,
});

/** Nothing of the environment but what is given: no DATABASE_URL, no settings of the server. */
export async function outreachWith(
  environment: Record<string, string>,
  argv: readonly string[],
  input?: Input,
  onErr: (line: string) => void = () => undefined,
): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommand(argv, {
    out: (text) => void out.push(text),
    err: (text) => {
      err.push(text);
      onErr(text);
    },
    environment,
    ...(input && { input }),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** A home of its own; `remove` takes it away. */
export async function makeHome(): Promise<{ home: string; remove: () => Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'outreach-home-'));
  return { home, remove: () => rm(home, { recursive: true, force: true }) };
}
