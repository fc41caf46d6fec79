/** Normalised names of companies, without legal forms. */
import { bounded, foldCase } from '../key-text.ts';

/**
 * `'ACME, Inc.'` -> `'acme'`, `'Straße & Söhne GmbH & Co. KG'` -> `'strasse soehne'`: case-folded, no
 * punctuation, no accents, no legal form at either end. Never empty for a text that is not, nor only
 * an article: `'GmbH'` -> `'gmbh'`, `'The Company'` -> `'the company'`.
 */
export function companyNameKey(name: string): string {
  const folded = foldAccents(foldCase(name));
  const words = wordsOf(folded.replaceAll(DOTTED_VEREIN, ' '));
  for (let before = -1; before !== words.length;) {
    before = words.length;
    words.length -= formLength(words);
    if (!PLAIN.test(folded)) cutForeignForms(words);
  }
  return bounded(words.map(({ text }) => text).join(' ') || folded);
}

interface Word {
  text: string;
  /** It is separated by a comma, or written as an abbreviation (`S.A.`). */
  isApart: boolean;
  /** `Hair & Co`: part of the name. */
  isJoined: boolean;
}

const SPELLED: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

const PLAIN = /^[\x20-\x7e]*$/;

/** `e.V.` and `e.G.` are told from words like "EV" by their dots. */
const DOTTED_VEREIN = /(?<=\s)e\.\s?[vg]\.$/g;
/** Marks that stand within words: `S.r.l.`, `McDonald's`. */
const JOINING = /['’`´.]/g;
/** C# and C++ are no C. */
/** From the end of a word on: begun at each character, a long row of signs takes n² steps. */
const WORD =
  /(?<![^\p{L}\p{M}\p{N}\p{S}#'’`´.])([^\p{L}\p{M}\p{N}\p{S}#'’`´.]*)([\p{L}\p{M}\p{N}\p{S}#'’`´.]+)/gu;
const SETS_APART = /[,;:(|/]/;

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const [, before = '', written = ''] of text.matchAll(WORD)) {
    const word = written.replaceAll(JOINING, '');
    if (word === '') continue;
    const isApart = SETS_APART.test(before) || /[\p{L}\p{N}]\.[\p{L}\p{N}]/u.test(written);
    words.push({ text: word, isApart, isJoined: before.includes('&') });
  }
  return words;
}

/**
 * How many words at the end are a legal form. One that is also an everyday word must be separated or follow
 * two other words: in "Thai Spa" it is part of the name.
 */
function formLength(words: readonly Word[]): number {
  const end = words.length;
  if (end === 0 || !LAST_WORDS.has(words[end - 1]!.text)) return 0;
  for (const length of [4, 3, 2, 1]) {
    if (end <= length) continue;
    const form = words.slice(end - length).map(({ text }) => text);
    if (!LEGAL_FORMS.has(form.join(' '))) continue;
    const others = words.slice(0, end - length).filter(({ text }) => !ARTICLES.has(text));
    const { isApart, isJoined } = words[end - length]!;
    const isWord = EVERYDAY.has(form[0]!) && (length === 1 || isJoined);
    if (others.length >= (isWord && !isApart ? 2 : 1)) return length;
  }
  return 0;
}

/** Forms that may also precede the name, or are attached to it. */
function cutForeignForms(words: Word[]): void {
  if (words.length > 1 && LEADING.has(words[0]!.text)) words.shift();
  const [first] = words;
  if (first) first.text = first.text.replace(ATTACHED_BEFORE, '');
  const last = words.at(-1);
  if (last) last.text = last.text.replace(ATTACHED_BEHIND, '');
}

const ARTICLES = new Set('the a an der die das la le les el los las il lo i gli'.split(' '));

/** Legal forms that are words of names, too. */
const EVERYDAY = new Set('spa co company private pc as ab sa sl sci'.split(' '));

const CYRILLIC = ['ооо', 'зао', 'оао', 'пао', 'ао', 'ип', 'тов'];
const EAST_ASIAN = (
  '株式会社 株式會社 有限会社 合同会社 合名会社 合資会社 股份有限公司 有限责任公司 有限責任公司 有限公司 ' +
  '주식회사 유한회사'
).split(' ');

/** As they look without dots. */
const LEGAL_FORMS = new Set(
  [
    'gmbh, mbh, gmbh co, ug, haftungsbeschränkt, ag, kg, kgaa, ohg, gbr, eingetragener verein, ek, ekfr',
    'inc, incorporated, llc, l l c, pllc, llp, lllp, lp, ltd, limited, plc, corp, corporation, co, company',
    'co ltd, co limited, company limited, co inc, private limited, private ltd',
    'pty, pte, pvt, private, sdn bhd, bhd, pc',
    'sa, s a, sas, sasu, sarl, eurl, sci, snc, selarl, scop',
    'srl, s r l, srls, spa, s p a, sapa, sas di, scarl, soc coop',
    'sl, slu, s l, sau, slp, sociedad limitada, de cv, sa de cv, s de rl de cv, ltda, lda, eireli',
    'bv, b v, nv, vof, bvba, ab, as, a s, asa, aps, ivs, oy, oyj, hf, ehf',
    'sp zoo, sp z oo, sp z o o, spółka z oo, sro, s r o, spol, kft, zrt, nyrt, doo, d o o, ood, eood, sia, uab, oü',
    'a ş, aş, anonim şirketi, ltd şti, şti, kk, gk',
    ...CYRILLIC,
    ...EAST_ASIAN,
  ]
    .join(', ')
    .split(', ')
    .map((form) => foldAccents(foldCase(form))),
);

/** Most names end in none of them. */
const LAST_WORDS = new Set([...LEGAL_FORMS].map((form) => form.split(' ').at(-1)!));

const LEADING = new Set([...CYRILLIC, ...EAST_ASIAN]);
const ATTACHED_BEFORE = new RegExp(`^(?:${EAST_ASIAN.join('|')})(?=.)`);
const ATTACHED_BEHIND = new RegExp(`(?<=.)(?:${EAST_ASIAN.join('|')})$`);

/**
 * `ä` becomes `ae` as Germans type it; other accents on Latin letters are removed. Those of other scripts
 * stay: they are separate letters. For a case-folded text.
 */
function foldAccents(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .normalize('NFC')
    .replaceAll(/[äöüøæœłđı]/g, (letter) => SPELLED[letter]!)
    .normalize('NFD')
    .replaceAll(/(?<=[a-z]\p{Mn}*)\p{Mn}/gu, '')
    .normalize('NFC');
}
