/** The language of a campaign: set, or guessed from its first message; and those that built-in reminders have. */
import { languageOfScript } from './script-languages.ts';
import type { PageLanguage } from './page-words.ts';

export const MESSAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'] as const;
export type MessageLanguage = (typeof MESSAGE_LANGUAGES)[number];

/** The language of reminders: `de` for `de-AT`, `en` for what has none. RFC 5646. */
export function messageLanguageOf(tag: string | null | undefined): MessageLanguage {
  const primary = (tag ?? '').toLowerCase().split('-')[0];
  return MESSAGE_LANGUAGES.find((each) => each === primary) ?? 'en';
}

/** The language of a campaign: what was set, else what its first message is written in. */
export const languageOf = (
  language: string | null,
  first: { subjectTemplate?: string | null | undefined; bodyTemplate: string } | undefined,
): string =>
  language ?? guessLanguage(`${first?.subjectTemplate ?? ''} ${first?.bodyTemplate ?? ''}`);

/** With fewer common words, or no clear lead, the language is unknown. */
const LEAST_WORDS = 3;
const LEAST_LEAD = 1.5;

/** The language that most of the common words of a template are of; `en` where none is clear. */
export function guessLanguage(template: string): PageLanguage {
  const text = template
    .replaceAll(/\{\{[^{}]*\}\}|<[^<>]*>|https?:\/\/\S+/g, ' ')
    .toLowerCase()
    .normalize('NFC');
  const byScript = languageOfScript(text);
  if (byScript !== undefined) return byScript;
  const found = new Map<PageLanguage, number>();
  for (const word of text.match(/\p{L}+/gu) ?? []) {
    for (const language of OWNERS.get(word) ?? []) {
      found.set(language, (found.get(language) ?? 0) + 1);
    }
  }
  // Danish and Norwegian share most words: the few that tell them apart decide, and Danish where there are none.
  found.delete((found.get('nb') ?? 0) > (found.get('da') ?? 0) ? 'da' : 'nb');
  const [first, second] = [...found].toSorted(([, a], [, b]) => b - a);
  if (!first || first[1] < LEAST_WORDS) return 'en';
  return second && first[1] < second[1] * LEAST_LEAD ? 'en' : first[0];
}

/** Common words that are written alike in both. */
const DANO_NORWEGIAN =
  'jeg og det er til ikke vil så hilsen har vi kan med på også kunne hvordan hvis når';

/** Words that a short business message can hardly do without; some belong to several languages. */
const COMMON: Partial<Record<PageLanguage, string>> = {
  en: 'the and you your we our is are for with this that have to of from would can not i it be will',
  de: 'der die das und sie ihr ihre ihnen wir ich ist sind für mit nicht ein eine auf zu von haben den im über guten tag grüße wenn dass',
  fr: 'le la les et vous votre vos nous notre je est sont pour avec pas un une des du que dans sur ce bonjour cordialement en au',
  es: 'el la los las y usted su sus nosotros es son para con no un una de del que en por hola saludos gracias le como',
  it: 'il la i gli e lei suo sua noi è sono per con non un una di del della che in buongiorno saluti grazie le come vi',
  pt: 'o a os as e você seu sua nós é são para com não um uma de do da que em por olá obrigado cumprimentos os lhe como',
  nl: 'de het en u uw wij we ik is zijn voor met niet een van op dat dit hebben bij goedendag groet groeten om naar',
  pl: 'i w na z do się nie to jest są dla czy że państwa pana pani nasz dzień dobry pozdrawiam oraz o jak',
  // Swedish has some words of its neighbours, and those that tell it apart.
  sv: 'och att är för inte ni er era ert på hälsningar vänliga skulle också jag det till vill så har vi kan med',
  da: `${DANO_NORWEGIAN} af jer jeres mig hvad venlig dig blive vores gerne uge hjemmeside`,
  nb: `${DANO_NORWEGIAN} av dere deres meg hva vennlig deg bli våre gjerne uke nettside hei`,
  fi: 'ja on ei että teidän teille kanssa olen olemme voisi voimme terveisin ystävällisin hyvää päivää',
  cs: 'dobrý jsem jsme vás vám vaše vaši pro ale nebo který děkuji pozdravem že bych',
  hu: 'és az hogy nem egy önök önöknek ön tisztelt üdvözlettel kedves vagyok szeretném',
  ro: 'și în pentru cu nu este sunt bună ziua vă dumneavoastră ați salutări mulțumesc si buna va dumneavoastra ati aveti aveți salutari multumesc despre',
  tr: 've bir bu için ile merhaba saygılarımla sizin size olarak değil mi iyi günler',
};

const OWNERS: ReadonlyMap<string, PageLanguage[]> = ownersOf();

function ownersOf(): Map<string, PageLanguage[]> {
  const owners = new Map<string, PageLanguage[]>();
  for (const [language, words] of Object.entries(COMMON) as [PageLanguage, string][]) {
    for (const word of new Set(words.split(' '))) {
      owners.set(word, [...(owners.get(word) ?? []), language]);
    }
  }
  return owners;
}
