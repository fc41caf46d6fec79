/**
 * Shell lines that save what is on a mail host alone, and put it on a new one. They need no program there: a host that
 * is to be made anew may have an old one, or none that works.
 *
 * A backup is a tar of `mail` (the maildirs), `letsencrypt` and `queue` (what Postfix has taken and not yet
 * delivered, only when Postfix rests). On a new host three files of `STATE` say how far it is: nothing is put on it
 * twice, and no port closed again, by an attempt that was taken for dead.
 */

/** What a new system is given. `hasQueue`: with the queue, which nothing has delivered since it was saved. */
export interface RestoredBackup {
  name: string;
  hasQueue: boolean;
}

/** Stands for no backup; no file has this name. */
const NONE = 'none';

/** Where the lines work; tests have folders of their own. */
export interface HostPaths {
  mail: string;
  letsencrypt: string;
  spool: string;
  users: string;
  state: string;
  lock: string;
  /** Of root; `homes` has the other users'. */
  loginKeys: string;
  homes: string;
  policy: string;
}

/** Of a system that is made anew: its mark, and how far it is. */
export const STATE_DIR = '/etc/outreach-rebuild';

const HOST_PATHS: HostPaths = {
  mail: '/var/vmail',
  letsencrypt: '/etc/letsencrypt',
  spool: '/var/spool/postfix',
  users: '/etc/dovecot/outreach-users',
  state: STATE_DIR,
  lock: '/run/lock/outreach-mail',
  loginKeys: '/root/.ssh/authorized_keys',
  homes: '/home',
  policy: '/usr/sbin/policy-rc.d',
};

/** Ports at which mail comes in and users log in. */
const PORTS = '25, 465, 993';

/** The last file of a backup: tar takes one that was cut between two files for whole. */
const END = 'outreach-backup-ends';

/** Folders of Postfix's queue; `defer` and `bounce` hold the reasons. */
const QUEUE = 'maildrop incoming active deferred hold defer bounce';

const START = 'set -eu\numask 077';

/** They stay off after a restart of the host, too. */
const STOP = `${START}
for name in postfix dovecot; do
  systemctl mask "$name" >/dev/null 2>&1 || true
  service "$name" stop >/dev/null 2>&1 || true
done
! (ss -Hltn "sport = :25"; ss -Hltn "sport = :993") | grep -q . || { echo "outreach-mail: mail is still taken" >&2; exit 1; }`;

const BEGIN = `${START}
for name in dovecot postfix; do
  systemctl unmask "$name" >/dev/null 2>&1 || true
  service "$name" start >/dev/null
done`;

/**
 * `MAIL LETSENCRYPT SPOOL running|resting`. The maildirs are linked first, which takes a moment: a message that is
 * moved while a tar runs for minutes would be missed. Where Postfix and Dovecot run, a file may still vanish or grow.
 */
const SAVE = `${START}
at=$1/.outreach-backup
rm -rf "$at"
mkdir -p "$at/mail"
trap "rm -rf \\"$at\\"" EXIT
for domain in "$1"/*/; do
  [ -d "$domain" ] || continue
  cp -al "$domain" "$at/mail/" 2>/dev/null || [ "$4" = running ]
done
[ ! -d "$2" ] || cp -a "$2" "$at/letsencrypt"
if [ "$4" = resting ] && [ -d "$3" ]; then
  mkdir "$at/queue"
  for name in ${QUEUE}; do
    [ ! -d "$3/$name" ] || cp -a "$3/$name" "$at/queue/"
  done
fi
cd "$at"
: >${END}
code=0
tar --exclude="dovecot.index*" -cf - mail $(ls -d letsencrypt queue 2>/dev/null) ${END} || code=$?
[ "$code" -eq 0 ] || { [ "$code" -eq 1 ] && [ "$4" = running ]; }`;

/** `STATE LOGIN-KEYS HOMES <PUBLIC-KEY`: ours is the one key that may log in; then mail stays out. */
const CLOSE = `${START}
mkdir -p "$1"
read -r key
case "$key" in ssh-ed25519\\ ?*) ;; *) echo "outreach-mail: stdin is not a public key" >&2; exit 1 ;; esac
mkdir -p "\${2%/*}"
echo "$key" >"$2.new"
mv -f "$2.new" "$2"
rm -f "$3"/*/.ssh/authorized_keys
exec 9>"$1/lock"
flock 9
[ ! -e "$1/opened" ] || exit 0
nft add table inet outreach_rebuild
nft flush table inet outreach_rebuild
nft add chain inet outreach_rebuild input "{ type filter hook input priority -10; }"
nft add rule inet outreach_rebuild input iifname != lo tcp dport "{ ${PORTS} }" reject with tcp reset`;

/** Exits where the host has been given its mail: of this backup all is well, of another one nothing is. */
const unlessMerged = (state: string, name: string) => `if [ -e "${state}/merged" ]; then
  [ "$(cat "${state}/merged")" = "${name}" ] || { echo "outreach-mail: the host was given another backup" >&2; exit 1; }
  exit 0
fi`;

/** `MAIL LETSENCRYPT STATE NAME <TAR`: all of it beside its place, the certificates in theirs. */
const TAKE = `${START}
mkdir -p "$3" "$1"
${unlessMerged('$3', '$4')}
at=$1/.outreach-restore
new=$at.$$
trap "rm -rf \\"$new\\"" EXIT
mkdir "$new"
tar -C "$new" -xpf -
[ -e "$new/${END}" ] || { echo "outreach-mail: the backup did not arrive whole" >&2; exit 1; }
exec 9>"$3/lock"
flock 9
${unlessMerged('$3', '$4')}
if [ -d "$new/letsencrypt" ] && [ ! -d "$2/live" ]; then
  rm -rf "$2"
  mv "$new/letsencrypt" "$2"
fi
rm -rf "$at"
mv "$new" "$at"`;

/**
 * `MAIL USERS SPOOL STATE LOCK NAME queue|no-queue`: maildirs of mailboxes that the host has, and the queue, to their
 * places. What is in a maildir that is there already came in although mail stays out, such as after a restart: it is
 * kept. Postfix tries what it finds in its queue at once, however old it is.
 */
const MERGE = `${START}
mkdir -p "$4"
exec 8>"$5"
flock 8
exec 9>"$4/lock"
flock 9
${unlessMerged('$4', '$6')}
at=$1/.outreach-restore
if [ -d "$at" ]; then
  chmod 755 "$1"
  cut -d: -f1 "$2" | while IFS= read -r address; do
    from=$at/mail/\${address#*@}/\${address%@*}
    to=$1/\${address#*@}/\${address%@*}
    [ -d "$from" ] || continue
    mkdir -p "$1/\${address#*@}"
    for box in new cur; do
      [ -d "$to/Maildir/$box" ] || continue
      mkdir -p "$from/Maildir/$box"
      find "$to/Maildir/$box" -type f -exec mv -n -t "$from/Maildir/$box" {} +
    done
    rm -rf "$to"
    mv "$from" "$to"
  done
  for domain in "$1"/*/; do
    [ ! -d "$domain" ] || chown -R vmail:vmail "$domain"
  done
  if [ -d "$at/queue" ] && [ "$7" = queue ]; then
    service postfix stop >/dev/null
    for name in "$at"/queue/*; do
      [ ! -d "$name" ] || cp -a "$name" "$3/"
    done
    postsuper -s >/dev/null 2>&1 || true
    service postfix start >/dev/null
  fi
  rm -rf "$at"
fi
echo "$6" >"$4/merged"`;

/** `STATE`: which system this is; the user-data of one that is made anew has written it. */
const MARK = '[ ! -e "$1/id" ] || cat "$1/id"';

/** `STATE POLICY`: mail may come in. */
const OPEN = `${START}
exec 9>"$1/lock"
flock 9
rm -f "$2"
nft delete table inet outreach_rebuild 2>/dev/null || true
: >"$1/opened"`;

/** The names are for those who read the log of sshd. */
export const hostBackups = (at: HostPaths = HOST_PATHS) => ({
  stop: shell(STOP, 'stop-mail'),
  start: shell(BEGIN, 'start-mail'),
  save: (mode: 'running' | 'resting') =>
    shell(SAVE, 'save-host', at.mail, at.letsencrypt, at.spool, mode),
  close: shell(CLOSE, 'close-mail', at.state, at.loginKeys, at.homes),
  mark: shell(MARK, 'read-mark', at.state),
  take: (name: string) => shell(TAKE, 'take-backup', at.mail, at.letsencrypt, at.state, name),
  merge: (backup: RestoredBackup | null) =>
    shell(
      MERGE,
      'merge-backup',
      at.mail,
      at.users,
      at.spool,
      at.state,
      at.lock,
      backup?.name ?? NONE,
      backup?.hasQueue ? 'queue' : 'no-queue',
    ),
  open: shell(OPEN, 'open-mail', at.state, at.policy),
});

const shell = (script: string, ...words: string[]): string =>
  ['bash', '-c', `'set -o pipefail; ${script}'`, ...words].join(' ');
