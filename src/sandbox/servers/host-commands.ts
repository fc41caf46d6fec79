/** The commands of a simulated mail host, as its SSH server runs them. */
import { createHash } from 'node:crypto';
import { FIRST_BOOT_MS, SSH_DELAY_MS, type Machine } from './machine.ts';
import type { HostContext } from './host-context.ts';
import { moveHost } from './host-moves.ts';
import { verbs, type CommandInput, type CommandResult } from './host-verbs.ts';

export const SCRIPT_PATH = '/usr/local/sbin/outreach-mail';

/** Runs `cloud-init status [--wait]` or the mail host script; exit codes as Debian's. */
export async function runCommand(
  host: HostContext,
  command: string,
  input: CommandInput,
): Promise<CommandResult> {
  const [program = '', ...words] = shellWords(command);
  if (program === 'cloud-init' && words[0] === 'status') {
    return cloudInitStatus(host, words.includes('--wait'));
  }
  if (program === 'sh' && words[0] === '-c') return changeProgram(host, words.slice(2), input);
  // `bash -c SCRIPT NAME WORD...`: the product's lines that need no program.
  if (program === 'bash' && words[0] === '-c') return moveHost(host, words.slice(2), input);
  const installed = host.machine().writtenFiles.includes(SCRIPT_PATH);
  if (program !== SCRIPT_PATH || !installed) {
    return { code: 127, stderr: `bash: line 1: ${program}: No such file or directory\n` };
  }
  if (!firstBootIsDone(host)) {
    return { code: 1, stderr: 'first boot has not finished\n' };
  }
  const [verb = '', ...parameters] = words;
  const run = Object.hasOwn(verbs, verb) ? verbs[verb as keyof typeof verbs] : undefined;
  if (run === undefined) return { code: 2, stderr: `usage: outreach-mail VERB ...\n` };
  return run(host, parameters, input);
}

/** What the product's shell lines do to the program (src/providers/mail-hosts/program-upload.ts). */
async function changeProgram(
  host: HostContext,
  [step, path, digest]: string[],
  input: CommandInput,
): Promise<CommandResult> {
  const { program, programBefore, writtenFiles } = host.machine();
  if (path !== SCRIPT_PATH) return { code: 127 };
  if (step === 'put-program') {
    const arrived = createHash('sha256')
      .update(await input.all())
      .digest('hex');
    if (arrived !== digest) return { code: 1, stderr: 'outreach-mail: not whole\n' };
    const next = arrived.slice(0, 16);
    const before = next === program ? programBefore : program;
    const files = writtenFiles.includes(SCRIPT_PATH)
      ? writtenFiles
      : [...writtenFiles, SCRIPT_PATH];
    host.update({ program: next, programBefore: before, writtenFiles: files });
  } else if (step === 'restore-program') {
    host.update({ program: programBefore ?? program, programBefore: undefined });
  } else if (step === 'keep-program') {
    host.update({ programBefore: undefined });
  } else {
    return { code: 127 };
  }
  return { code: 0 };
}

async function cloudInitStatus(host: HostContext, wait: boolean): Promise<CommandResult> {
  const leftMs = firstBootEndsAtMs(host, host.machine()) - Date.now();
  if (wait && leftMs > 0) await host.core.wait(leftMs * host.core.options.pace);
  if (!firstBootIsDone(host)) return { code: 0, stdout: 'status: running\n' };
  if (host.machine().bootFailed) return { code: 1, stdout: 'status: error\n' };
  return { code: 0, stdout: 'status: done\n' };
}

const firstBootIsDone = (host: HostContext): boolean =>
  Date.now() >= firstBootEndsAtMs(host, host.machine());

const firstBootEndsAtMs = (host: HostContext, machine: Machine): number =>
  machine.runningAtMs + (SSH_DELAY_MS + FIRST_BOOT_MS) / host.core.options.pace;

/** Splits as a POSIX shell does: blanks, single and double quotes, backslashes. No expansion. */
export function shellWords(command: string): string[] {
  const word = /(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs;
  const piece = /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs;
  return (command.match(word) ?? []).map((text) =>
    text.replace(
      piece,
      (_all, escaped?: string, single?: string, double?: string) =>
        escaped ?? single ?? double!.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}
