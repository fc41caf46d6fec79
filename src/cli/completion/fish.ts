/** The script for fish, with descriptions; where a value is free, it completes names of files. */
import type { Place, PlaceOption } from './places.ts';

export function fishScript(places: readonly Place[]): string {
  const deeper = places.flatMap(({ words }) =>
    words.length === 0 ? [] : [quoted(words.join(' '))],
  );
  return [
    '# outreach completion fish',
    'function __outreach_at',
    '  set -l place',
    '  for word in (commandline -opc)[2..-1]',
    '    set -l next (string join " " -- $place $word)',
    `    contains -- $next ${deeper.join(' ')}; and set place $place $word`,
    '  end',
    '  set -l here (string join " " -- $place)',
    // Quoted: at the program itself it is nothing.
    '  test "$here" = "$argv[1]"',
    'end',
    ...places.flatMap(linesOf),
  ].join('\n');
}

function linesOf({ words, commands, options, values }: Place): string[] {
  const at = `complete -c outreach -n ${quoted(`__outreach_at ${quoted(words.join(' '))}`)}`;
  return [
    ...commands.map(
      ({ name, description }) => `${at} -f -a ${quoted(name)} -d ${quoted(description)}`,
    ),
    ...(values.length === 0 ? [] : [`${at} -f -a ${quoted(values.join(' '))}`]),
    ...options.map((option) => `${at} ${optionOf(option)}`),
  ];
}

function optionOf({ name, description, takesValue, values }: PlaceOption): string {
  const value = values.length === 0 ? '-r' : `-x -a ${quoted(values.join(' '))}`;
  const flag = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
  return `${flag}${takesValue ? ` ${value}` : ''} -d ${quoted(description)}`;
}

/** In single quotes fish reads a backslash and a quotation mark, and nothing else. */
const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
