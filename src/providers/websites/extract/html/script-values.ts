/** Evaluates the constant strings of a script without running it. */
import { matchesOf } from '../matches.ts';
import { fromBase64, unescapeText } from '../emails/email-decoders.ts';

/** A string that a script builds or writes into the page. */
export interface ScriptValue {
  value: string;
  /** Built from parts, decoded, or written into the page: an address in it is then intended. */
  isComposed: boolean;
}

const MAX_TOKENS = 20_000;
const MAX_VALUES = 500;
const MAX_LENGTH = 20_000;

const TOKEN =
  /\/\/[^\n]{0,2000}|\/\*[^*]{0,2000}\*\/|"((?:[^"\\\n]|\\.){0,5000})"|'((?:[^'\\\n]|\\.){0,5000})'|`((?:[^`\\]|\\.){0,5000})`|([A-Za-z_$][\w$]*(?:\s?\.\s?[A-Za-z_$][\w$]*)*)|(\d+(?:\.\d+)?|0x[0-9a-f]+)|(\+=|[+=()[\],.])/gi;

type Token =
  | { kind: 'string'; text: string }
  | { kind: 'name'; text: string }
  | { kind: 'number'; text: string }
  | { kind: 'sign'; text: string };

interface Reader {
  tokens: Token[];
  at: number;
  /** Strings by variable name. */
  known: Map<string, string>;
  depth: number;
}

/** Values in the order of the code; addresses are searched in them. */
export function scriptValues(code: string): ScriptValue[] {
  const reader: Reader = { tokens: tokensOf(code), at: 0, known: new Map(), depth: 0 };
  const values: ScriptValue[] = [];
  while (reader.at < reader.tokens.length && values.length < MAX_VALUES) {
    const start = reader.at;
    const value = statement(reader);
    if (value && value.value.length >= 5) values.push(value);
    if (reader.at === start) reader.at += 1;
  }
  return values;
}

function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  for (const match of matchesOf(TOKEN, code)) {
    if (tokens.length >= MAX_TOKENS) break;
    const [, double, single, template, name, number, sign] = match;
    const text = double ?? single ?? template;
    if (text !== undefined) tokens.push({ kind: 'string', text: unescapeLiteral(text) });
    else if (name) tokens.push({ kind: 'name', text: name.replaceAll(/\s/g, '') });
    else if (number) tokens.push({ kind: 'number', text: number });
    else if (sign) tokens.push({ kind: 'sign', text: sign });
  }
  return tokens;
}

const unescapeLiteral = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(
        /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|([0-7]{3})|(.))/gis,
        (_, x?: string, u?: string, long?: string, octal?: string, other?: string) => {
          const hex = x ?? u ?? long;
          if (hex) return codePoint(Number.parseInt(hex, 16));
          if (octal) return codePoint(Number.parseInt(octal, 8));
          return other === 'n' || other === 't' || other === 'r' ? ' ' : (other ?? '');
        },
      )
    : text;

const codePoint = (code: number): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';

/** Where a string becomes visible to people, or a link. */
const WRITES =
  /(?:^|\.)(?:write|writeln|innerHTML|outerHTML|href|location|textContent|innerText|html|text|append|attr|setAttribute|insertAdjacentHTML|open|eval)$/;

/** `name = expression`, `name += expression`, `write(expression)` or a lone expression. */
function statement(reader: Reader): ScriptValue | null {
  const { tokens, at } = reader;
  const [first, second] = [tokens[at]!, tokens[at + 1]];
  if (first.kind === 'name' && second?.kind === 'sign') {
    if (second.text === '=' || second.text === '+=') {
      reader.at += 2;
      const value = expression(reader);
      if (!value) return null;
      const before = second.text === '+=' ? (reader.known.get(first.text) ?? '') : '';
      const whole = (before + value.value).slice(0, MAX_LENGTH);
      reader.known.set(first.text, whole);
      return {
        value: whole,
        isComposed: value.isComposed || before !== '' || WRITES.test(first.text),
      };
    }
    if (second.text === '(' && WRITES.test(first.text) && !decoders.has(nameOf(first.text))) {
      reader.at += 2;
      const value = expression(reader);
      return value && { value: value.value, isComposed: true };
    }
  }
  return expression(reader);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Terms joined by `+`. An unknown term ends it: half an address is no address. */
function expression(reader: Reader): ScriptValue | null {
  if ((reader.depth += 1) > 20) {
    reader.depth -= 1;
    return null;
  }
  let value = term(reader);
  while (value && isSign(reader, '+')) {
    const mark = reader.at;
    reader.at += 1;
    const next = term(reader);
    if (!next) {
      reader.at = mark + 1;
      break;
    }
    value = { value: (value.value + next.value).slice(0, MAX_LENGTH), isComposed: true };
  }
  reader.depth -= 1;
  return value;
}

const isSign = ({ tokens, at }: Reader, text: string): boolean =>
  tokens[at]?.kind === 'sign' && tokens[at].text === text;

const decoders = new Map<string, (text: string) => string>(
  Object.entries({
    unescape: unescapeText,
    decodeURIComponent: unescapeText,
    decodeURI: unescapeText,
    atob: (text: string) => fromBase64(text.trim()) ?? '',
    String: (text: string) => text,
  }),
);

function term(reader: Reader): ScriptValue | null {
  const token = reader.tokens[reader.at];
  if (!token) return null;
  if (token.kind === 'string') {
    reader.at += 1;
    return afterwards(reader, { value: token.text, isComposed: false });
  }
  if (isSign(reader, '(')) {
    reader.at += 1;
    const value = expression(reader);
    if (isSign(reader, ')')) reader.at += 1;
    return value && afterwards(reader, value);
  }
  if (isSign(reader, '[')) return afterwardsOrNull(reader, list(reader));
  if (token.kind !== 'name') return null;
  return named(reader, token.text);
}

function named(reader: Reader, path: string): ScriptValue | null {
  const next = reader.tokens[reader.at + 1];
  const isCall = next?.kind === 'sign' && next.text === '(';
  if (isCall && nameOf(path) === 'fromCharCode') {
    reader.at += 1;
    return afterwardsOrNull(reader, characters(reader));
  }
  const decode = isCall ? decoders.get(nameOf(path)) : undefined;
  if (decode) {
    reader.at += 2;
    const value = expression(reader);
    if (isSign(reader, ')')) reader.at += 1;
    return value && afterwards(reader, { value: decode(value.value), isComposed: true });
  }
  const known = reader.known.get(path);
  if (known === undefined || isCall) return null;
  reader.at += 1;
  return afterwards(reader, { value: known, isComposed: true });
}

/** `(105, 110, 102)` as characters. */
function characters(reader: Reader): ScriptValue | null {
  let value = '';
  for (
    reader.at += 1;
    reader.at < reader.tokens.length && value.length < MAX_LENGTH;
    reader.at += 1
  ) {
    const token = reader.tokens[reader.at]!;
    if (token.kind === 'number') value += codePoint(Number(token.text));
    else if (token.kind !== 'sign' || token.text === ')' || token.text !== ',') break;
  }
  if (isSign(reader, ')')) reader.at += 1;
  return value ? { value, isComposed: true } : null;
}

/** `['info', 'acme.de']` as its strings, joined by a separator that occurs in no string. */
function list(reader: Reader): ScriptValue | null {
  const parts: string[] = [];
  reader.at += 1;
  while (reader.at < reader.tokens.length && !isSign(reader, ']') && parts.length < 500) {
    const token = reader.tokens[reader.at]!;
    if (token.kind === 'number') {
      parts.push(token.text);
      reader.at += 1;
    } else {
      const value = expression(reader);
      if (!value) return null;
      parts.push(value.value);
    }
    if (isSign(reader, ',')) reader.at += 1;
  }
  if (isSign(reader, ']')) reader.at += 1;
  return { value: parts.join(BETWEEN), isComposed: false };
}

const BETWEEN = '\u0000';

const afterwardsOrNull = (reader: Reader, value: ScriptValue | null): ScriptValue | null =>
  value && afterwards(reader, value);

/** Applies `.join('')`, `.reverse()`, `.split('')`, `.replace('a', 'b')`, `.concat('c')` to a value. */
function afterwards(reader: Reader, value: ScriptValue): ScriptValue {
  let now = value;
  for (let steps = 0; steps < 10 && isSign(reader, '.'); steps += 1) {
    const method = reader.tokens[reader.at + 1];
    if (method?.kind !== 'name') break;
    reader.at += 2;
    if (isSign(reader, '(')) reader.at += 1;
    const given: string[] = [];
    while (given.length < 3 && !isSign(reader, ')')) {
      const argument = term(reader);
      if (!argument) break;
      given.push(argument.value);
      if (isSign(reader, ',')) reader.at += 1;
    }
    if (isSign(reader, ')')) reader.at += 1;
    now = { value: applied(method.text, now.value, given), isComposed: true };
  }
  return now;
}

function applied(method: string, value: string, [first = '', second = '']: string[]): string {
  if (method === 'join') return value.split(BETWEEN).join(first);
  if (method === 'split') return value.split(first).join(BETWEEN);
  if (method === 'reverse') return value.split(BETWEEN).toReversed().join(BETWEEN);
  if (method === 'replace' || method === 'replaceAll')
    return first ? value.split(first).join(second) : value;
  if (method === 'concat') return value + first + second;
  return value;
}
