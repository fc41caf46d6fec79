/** Runs a document's commands in a shell in which this process implements `outreach`. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runCommand } from '../../../src/cli/program.ts';

/** A fenced block of shell commands, and its section. */
export interface Block {
  section: string;
  command: string;
}

/** All blocks in order, including indented ones in lists. */
export function shellBlocks(text: string): Block[] {
  let section = '';
  const blocks: Block[] = [];
  for (const match of text.matchAll(/^## (.+)$|^( *)```sh\n([\s\S]*?)^ *```$/gm)) {
    const [, heading, indent = '', body] = match;
    if (heading !== undefined) section = heading;
    else blocks.push({ section, command: body!.replaceAll(`\n${indent}`, '\n').trim() });
  }
  return blocks;
}

export interface CommandShell {
  /** Throws with the whole output when the command does not end with 0. */
  run(command: string, variables?: Record<string, string>): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starting Node for each command would take longer than all of them: the `outreach` of this shell
 * passes its arguments to this process. `path` are folders of further programs.
 */
export async function openShell(
  environment: Record<string, string>,
  path: readonly string[],
): Promise<CommandShell> {
  const server = await serveCommands(environment);
  const folder = await mkdtemp(join(tmpdir(), 'outreach-shell-'));
  const { port } = server.address() as AddressInfo;
  await writeFile(join(folder, 'outreach'), shim(port), { mode: 0o755 });
  const PATH = [folder, ...path, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  return {
    run: (command, variables = {}) =>
      new Promise((resolve, reject) => {
        const env = { ...environment, ...variables, PATH, HOME: folder };
        execFile('bash', ['-ec', command], { env }, (error, stdout, stderr) => {
          if (!error) resolve(stdout);
          else reject(new Error(`${command}\n${stdout}${stderr}`, { cause: error }));
        });
      }),
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The first line of the answer is the exit code. */
const shim = (port: number) => `#!/bin/bash
answer=$(printf '%s\\0' "$@" | curl -sS --data-binary @- http://127.0.0.1:${port}/) || exit 1
echo "\${answer#*$'\\n'}"
exit "\${answer%%$'\\n'*}"
`;

async function serveCommands(environment: Record<string, string>): Promise<Server> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () => {
      const argv = Buffer.concat(parts).toString().split('\0').slice(0, -1);
      const lines: string[] = [];
      const say = (text: string) => void lines.push(text);
      void runCommand(argv, { out: say, err: say, environment }).then((code) =>
        response.end([code, ...lines].join('\n')),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
