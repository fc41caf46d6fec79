/** The script for bash 3.2 and later: where a value is free, it completes names of files. */
import { wordsAt, type Place } from './places.ts';

export function bashScript(places: readonly Place[]): string {
  const deeper = places.flatMap(({ words }) => (words.length === 0 ? [] : [`"${keyOf(words)}"`]));
  const valued = places.flatMap(({ words, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, values }) => ({ at: `"${keyOf(words)} ${name}"`, values: values.join(' ') })),
  );
  return [
    '# outreach completion bash',
    '_outreach() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    '  local place="" words="" word i',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    word="${COMP_WORDS[i]}"',
    '    case "$place $word" in',
    `      ${deeper.join(' | \\\n      ')}) place="$place $word" ;;`,
    '    esac',
    '  done',
    '  COMPREPLY=()',
    '  case "$place $previous" in',
    ...valued.map(({ at, values }) => `    ${at}) words="${values}"; _outreach_reply; return ;;`),
    '  esac',
    '  case "$place" in',
    ...places.map((place) => `    "${keyOf(place.words)}") words="${wordsAt(place).join(' ')}" ;;`),
    '  esac',
    '  _outreach_reply',
    '}',
    '_outreach_reply() {',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _outreach outreach',
  ].join('\n');
}

/** ` clusters list`: each word with a blank before it. */
const keyOf = (words: readonly string[]): string => words.map((word) => ` ${word}`).join('');
