/** Stdin of the process: questions to a person, or a text that is piped in. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandEnd, EXIT, type Input } from '../io.ts';

/** Questions are written to stderr: stdout is for what the command answers. */
export const terminalInput = (
  stdin: NodeJS.ReadStream = process.stdin,
  stderr: NodeJS.WritableStream = process.stderr,
): Input => ({
  isTerminal: stdin.isTTY,
  readAll: () => text(stdin),
  ask: (question, { isHidden = false } = {}) =>
    new Promise((resolve, reject) => {
      // The interface echoes what is typed to its output, and nothing else does.
      const echo = new Writable({
        write(chunk, _encoding, done) {
          if (!isHidden) stderr.write(chunk as Buffer);
          done();
        },
      });
      const lines = createInterface({ input: stdin, output: echo, terminal: true });
      const broken = () => reject(new CommandEnd(EXIT.failed, 'Broken off.'));
      stderr.write(question);
      lines.once('line', (line) => {
        resolve(line);
        lines.close();
      });
      lines.once('SIGINT', () => lines.close());
      lines.once('close', () => {
        if (isHidden) stderr.write('\n');
        broken();
      });
    }),
});
