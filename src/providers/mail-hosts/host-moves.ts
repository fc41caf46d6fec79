/** What is on a mail host alone: saved from one system, and put on the next. */
import { PassThrough } from 'node:stream';
import { hostBackups } from './host-backup.ts';
import type { HostMoves, ServerAccess } from './port.ts';
import type { Command, CommandResult } from './ssh.ts';

/** A host may hold many gigabytes; whoever calls has a limit of their own. */
const MOVE_LIMIT_MS = 12 * 3_600_000;

const SHORT_LIMIT_MS = 2 * 60_000;

/** `run` throws where the command does not end well. */
export function hostMoves(
  run: (server: ServerAccess, command: Command) => Promise<CommandResult>,
): HostMoves {
  const lines = hostBackups();
  const short = async (server: ServerAccess, command: Omit<Command, 'limitMs'>) => {
    await run(server, { ...command, limitMs: SHORT_LIMIT_MS });
  };
  return {
    stopMail: (server, signal) => short(server, { line: lines.stop, signal }),
    startMail: (server, signal) => short(server, { line: lines.start, signal }),
    saveHost: async (server, mode, take, signal) => {
      const content = new PassThrough();
      // Whoever reads it meets its failure; it may fail before, or after, somebody does.
      content.on('error', () => {});
      const giveUp = new AbortController();
      const signals = signal ? [signal, giveUp.signal] : [giveUp.signal];
      const command = {
        line: lines.save(mode),
        limitMs: MOVE_LIMIT_MS,
        signal: AbortSignal.any(signals),
        stdoutTo: content,
      };
      const taken = take(content).catch((error: unknown) => {
        giveUp.abort();
        throw error;
      });
      const saved = run(server, command).then(
        () => void content.end(),
        (error: Error) => void content.destroy(error),
      );
      // Where both fail, the taker has met the failure of the command.
      await Promise.all([taken, saved]);
    },
    closeMail: (server, loginKey) => short(server, { line: lines.close, stdin: `${loginKey}\n` }),
    readMark: async (server) => {
      const { stdout } = await run(server, { line: lines.mark, limitMs: SHORT_LIMIT_MS });
      return stdout.trim() || null;
    },
    takeBackup: async (server, { name, content }, signal) => {
      await run(server, { line: lines.take(name), limitMs: MOVE_LIMIT_MS, stdin: content, signal });
    },
    mergeBackup: async (server, backup, signal) => {
      await run(server, { line: lines.merge(backup), limitMs: MOVE_LIMIT_MS, signal });
    },
    openMail: (server) => short(server, { line: lines.open }),
  };
}
