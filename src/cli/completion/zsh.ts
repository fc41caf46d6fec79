/** The script for zsh, with descriptions; where a value is free, it completes names of files. */
import type { Place, Word } from './places.ts';

export function zshScript(places: readonly Place[]): string {
  const deeper = places.flatMap(({ words }) => (words.length === 0 ? [] : [quoted(keyOf(words))]));
  return [
    '#compdef outreach',
    '# outreach completion zsh',
    '_outreach() {',
    '  local place="" word i',
    '  local -a found',
    '  for ((i = 2; i < CURRENT; i++)); do',
    '    word="${words[i]}"',
    '    case "$place $word" in',
    `      (${deeper.join('|')}) place="$place $word" ;;`,
    '    esac',
    '  done',
    '  case "$place ${words[CURRENT-1]}" in',
    ...places.flatMap(valuesOf),
    '  esac',
    '  case "$place" in',
    ...places.map(
      ({ words, commands, options, values }) =>
        `    (${quoted(keyOf(words))}) found=(${[
          ...commands,
          ...values.map((name) => ({ name, description: '' })),
          ...options,
        ]
          .map(described)
          .join(' ')}) ;;`,
    ),
    '  esac',
    "  _describe 'outreach' found || _files",
    '}',
    'if [ "$funcstack[1]" = "_outreach" ]; then _outreach "$@"; else compdef _outreach outreach; fi',
  ].join('\n');
}

const valuesOf = ({ words, options }: Place): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ name, values }) => {
      const known = values.map((value) => quoted(value)).join(' ');
      const offer = values.length === 0 ? '_files' : `compadd -- ${known}`;
      return `    (${quoted(`${keyOf(words)} ${name}`)}) ${offer}; return ;;`;
    });

/** `'list:Lists the clusters'`; a colon in the name would end it. */
const described = ({ name, description }: Word): string =>
  quoted(description === '' ? name : `${name.replaceAll(':', '\\:')}:${description}`);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const keyOf = (words: readonly string[]): string => words.map((word) => ` ${word}`).join('');
