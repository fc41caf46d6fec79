/** The command line as a client types it: a process of its own, with a home of its own and no settings of a server. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { compiledProgram } from '../../../src/dev/processes/compiled-sources.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// oxlint-disable-next-line typescript/no-explicit-any -- tours look into any shape
export type Shown = any;

export interface Cli {
  /** How many commands were run. */
  commands: number;
  /** All that was printed; no secret may be in it. */
  printed: string[];
  /** What a command gives to programs; one that fails throws. `stdin` is piped in. */
  json(argv: readonly string[], stdin?: string): Promise<Shown>;
  /** What it prints, and its exit code. */
  run(argv: readonly string[], stdin?: string): Promise<{ code: number; out: string; err: string }>;
  /** One that goes on until it is ended. */
  start(argv: readonly string[]): ChildProcessWithoutNullStreams;
}

/** `environment` beside PATH and HOME. */
export function cliIn(home: string, environment: Record<string, string> = {}): Cli {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...environment };
  const cli: Cli = {
    commands: 0,
    printed: [],
    start(argv) {
      cli.commands += 1;
      const command = [...compiledProgram('src/cli/outreach.ts'), ...argv];
      return spawn(process.execPath, command, { cwd: root, env });
    },
    async run(argv, stdin = '') {
      const child = cli.start(argv);
      const ended = new Promise<number>((resolve) => {
        child.once('close', (code) => resolve(code ?? 1));
      });
      child.stdin.end(stdin);
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      cli.printed.push(out, err);
      return { code: await ended, out, err };
    },
    async json(argv, stdin) {
      const { code, out, err } = await cli.run([...argv, '--json'], stdin);
      if (code !== 0) throw new Error(`outreach ${argv.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
  };
  return cli;
}
