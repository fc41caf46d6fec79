/**
 * Shell lines that bring a program to a host, whatever program is there: it becomes the program in one step, once all
 * of it has arrived, and the one of before is kept until it is not needed any more.
 */
import { hostProgram, PROGRAM_PATH, programDigest } from './host-program.ts';

/** `PATH DIGEST <PROGRAM`. A program that was cut off would do nothing, and say that all is well. */
const PUT = `set -e
cat >"$1.new"
echo "$2  $1.new" | sha256sum --check --status || { rm -f "$1.new"; echo "outreach-mail: the program did not arrive whole" >&2; exit 1; }
chmod 755 "$1.new"
cmp -s "$1" "$1.new" || [ ! -e "$1" ] || cp -p "$1" "$1.before"
mv -f "$1.new" "$1"`;

const RESTORE = '[ ! -e "$1.before" ] || mv -f "$1.before" "$1"';

const KEEP = 'rm -f "$1.before"';

/** The names are for those who read the log of sshd. */
export const uploads = (path = PROGRAM_PATH, program = hostProgram()) => ({
  put: { line: shell(PUT, 'put-program', path, programDigest(program)), stdin: program },
  restore: { line: shell(RESTORE, 'restore-program', path) },
  keep: { line: shell(KEEP, 'keep-program', path) },
});

const shell = (script: string, ...words: string[]): string =>
  ['sh', '-c', `'${script}'`, ...words].join(' ');
