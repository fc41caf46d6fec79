/** All languages in which answers are understood. */
import { arabic } from './arabic.ts';
import { bulgarian } from './bulgarian.ts';
import { chinese } from './chinese.ts';
import { czech } from './czech.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { finnish } from './finnish.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { greek } from './greek.ts';
import { hebrew } from './hebrew.ts';
import { hungarian } from './hungarian.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import { korean } from './korean.ts';
import { baltic, catalan, indonesian, thai, vietnamese } from './more-languages.ts';
import { nordic } from './nordic.ts';
import type { Phrases } from './phrases.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { romanian } from './romanian.ts';
import { russian } from './russian.ts';
import { southSlavic } from './south-slavic.ts';
import { spanish } from './spanish.ts';
import { turkish } from './turkish.ts';
import { ukrainian } from './ukrainian.ts';

export type { Phrases } from './phrases.ts';

export const LANGUAGES: readonly Phrases[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  polish,
  russian,
  ukrainian,
  chinese,
  japanese,
  hungarian,
  romanian,
  greek,
  hebrew,
  arabic,
  turkish,
  nordic,
  finnish,
  czech,
  bulgarian,
  korean,
  southSlavic,
  baltic,
  catalan,
  vietnamese,
  indonesian,
  thai,
];
