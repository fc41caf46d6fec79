/** Reads the return date of an absent person from automatic answers in eight languages. */
import { DAY_MS } from '../../day.ts';

/** Further off is a misreading. */
const MAX_DAYS_AHEAD = 400;
const MAX_CHARS = 2_000;
/** Of a weekday that is the day of writing the next one is meant: an evening in New York, a morning in Europe. */
const WEEKDAY_BEHIND_UTC_MS = DAY_MS / 4;
/** Where a day ends last: an evening in the Americas is in UTC's next day. */
const BEHIND_UTC_MS = DAY_MS / 2;

/** Words before the return date, or before the last day of absence. */
const BEFORE = [
  '(?:until|till|up to|to) and including|until|till|til|through|thru|up to|back(?: in the office)?(?: on)?|return(?:ing|s)?(?: to the office| to work)?(?: on)?|(?:be )?back(?: (?:in|at) (?:the|my) (?:office|desk|work))?(?: on)?|to',
  'bis(?: und mit| einschließlich| einschließl\\.?| einschl\\.?| inklusive| inkl\\.?)?(?: zum)?|ab(?: dem)?|wieder(?: da| im büro| erreichbar)?(?: ab)?(?: dem| am)?|zurück(?: ab| am)?|am',
  "jusqu[’']au|jusqu[’']à|de retour(?: au bureau)?(?: le| à partir du)?|à partir du|au|retour le|reviens le|reviendrai le",
  'hasta(?: el)?(?: día)?|a partir del?|de vuelta el|regres(?:o|aré|are)(?: el)?|vuelvo el|volveré el|al',
  'fino al?|sino al?|dal|rientr(?:o|erò)(?: il)?|torn(?:o|erò)(?: il)?|a partire dal|al',
  'até(?: o dia| ao dia| dia)?|retorn(?:o|arei)(?: em| no dia| dia)?|regress(?:o|arei)(?: a| no dia| em)?|volto(?: em| no dia| dia)?|a partir de|de volta(?: em| no dia)?',
  't\\/m|tot(?: en met)?|terug(?: op| vanaf)?|vanaf|weer (?:aanwezig|bereikbaar|terug)(?: op| vanaf)?',
  'do(?: dnia)?|wracam|wrócę|powrót|od(?: dnia)?|będę (?:dostępny|dostępna|z powrotem)',
  'till och med|t\\.o\\.m\\.?|tillbaka|åter(?: på kontoret)?',
].join('|');

const MONTHS: readonly string[] = [
  'jan(?:uary|uar|vier|uary|uari)?|jänner|enero|ene|gennaio|gen|janeiro|januari|stycznia|sty',
  'feb(?:ruary|ruar|ruari)?|février|févr?|febrero|febbraio|fevereiro|fev|lutego|lut',
  'mar(?:ch)?|märz|mrz|mars|marzo|março|maart|mrt|marca',
  'apr(?:il)?|avril|avr|abril|abr|aprile|kwietnia|kwi',
  'may|mai|maj|mayo|maggio|mag|maio|mei|maja',
  'jun(?:e|i)?|juin|junio|giugno|giu|junho|czerwca|cze',
  'jul(?:y|i)?|juillet|juil|julio|luglio|lug|julho|lipca|lip',
  'aug(?:ust|usti|ustus)?|août|aout|agosto|ago|sierpnia|sie',
  'sep(?:t|tember)?|septembre|septiembre|settembre|set|setembro|września|wrz',
  'oct(?:ober)?|okt(?:ober)?|octobre|octubre|ottobre|ott|outubro|out|października|paź',
  'nov(?:ember)?|novembre|noviembre|novembro|listopada|lis',
  'dec(?:ember)?|dez(?:ember)?|décembre|déc|diciembre|dic|dicembre|dezembro|grudnia|gru',
];
const ANY_MONTH = MONTHS.join('|');
const WEEKDAYS: readonly string[] = [
  'sunday|sonntag|dimanche|domingo|domenica|zondag|niedzieli|niedzielę',
  'monday|montag|lundi|lunes|lunedì|segunda(?:-feira)?|maandag|poniedziałku|poniedziałek',
  'tuesday|dienstag|mardi|martes|martedì|terça(?:-feira)?|dinsdag|wtorku|wtorek',
  'wednesday|mittwoch|mercredi|miércoles|mercoledì|quarta(?:-feira)?|woensdag|środy|środę',
  'thursday|donnerstag|jeudi|jueves|giovedì|quinta(?:-feira)?|donderdag|czwartku|czwartek',
  'friday|freitag|vendredi|viernes|venerdì|sexta(?:-feira)?|vrijdag|piątku|piątek',
  'saturday|samstag|samedi|sábado|sabato|zaterdag|soboty|sobotę',
];
const ANY_WEEKDAY = WEEKDAYS.join('|');

const SKIPPED = `(?:[\\s,:]|(?:the|dem|den|le|el|il|o|dia|día|dnia|op|on|am|w|na|sur|em|${ANY_WEEKDAY}|mon|tue|wed|thu|fri|mo|di|mi|do|fr)\\b\\.?)*`;
/** The date after these is the last day of absence. */
const INCLUSIVE_BEFORE =
  /^(?:through|thru|(?:until|till|up to|to) and including|bis (?:und mit|ein|inkl)|t\/m|tot en met|till och med|t\.o\.m)/iu;
const INCLUSIVE_AFTER =
  /^[\s,.()]*(?:both |ambos |ambas )?(?:inclusive|inclusief|inclu[ií]d[oa]|incluso|inclus|incl\b|inklusive|inkl\b|einschl(?:ie(?:ß|ss)lich)?\b|compris|compres[oa]|włącznie|y incluid)/iu;
const KEY = `(?<![\\p{L}])(?:${BEFORE})${SKIPPED}`;

const ISO = new RegExp(`${KEY}(\\d{4})-(\\d{2})-(\\d{2})`, 'giu');
const NUMBERS = new RegExp(
  `${KEY}(\\d{1,2})([./-])(\\d{1,2})(?:\\2(\\d{4}|\\d{2}))?(?!\\d)`,
  'giu',
);
const DAY_MONTH = new RegExp(
  `${KEY}(\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?\\s+(?:of\\s+|de\\s+)?(${ANY_MONTH})(?![\\p{L}])\\.?(?:,?\\s+(?:de\\s+)?(\\d{4}))?`,
  'giu',
);
const MONTH_DAY = new RegExp(
  `${KEY}(${ANY_MONTH})(?![\\p{L}])\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,?\\s+(\\d{4}))?`,
  'giu',
);
const WEEKDAY = new RegExp(
  `(?<![\\p{L}])(?:${BEFORE})(?:[\\s,]|(?:next|the|kommenden|nächsten|prochain|le|el|il|op|na|w)\\b)*(${ANY_WEEKDAY})(?![\\p{L}])(?!\\s*,?\\s*(?:\\d|(?:${ANY_MONTH})(?![\\p{L}])))`,
  'giu',
);

/**
 * `YYYY-MM-DD`, the latest return date in the text, or the day after the last day of absence; undefined where
 * none can be read.
 */
export function readReturnDate(text: string, receivedAt: Date): string | undefined {
  const said = text.slice(0, MAX_CHARS).normalize('NFC');
  const today = startOfDay(receivedAt.getTime() - BEHIND_UTC_MS);
  const weekday = startOfDay(receivedAt.getTime() - WEEKDAY_BEHIND_UTC_MS);
  const days = [
    ...daysBy(said, ISO, ([y, m, d]) => dayOf(Number(y), Number(m), Number(d))),
    ...daysBy(said, NUMBERS, ([a, mark, b, y]) => numbersDay([a!, b!, y], mark!, today)),
    ...daysBy(said, DAY_MONTH, ([d, m, y]) => namedDay(d!, m!, y, today)),
    ...daysBy(said, MONTH_DAY, ([m, d, y]) => namedDay(d!, m!, y, today)),
    ...daysBy(said, WEEKDAY, ([name]) => nextWeekday(name!, weekday)),
  ].filter((day) => day >= today && day <= today + MAX_DAYS_AHEAD * DAY_MS);
  if (days.length === 0) return undefined;
  return new Date(Math.max(...days)).toISOString().slice(0, 10);
}

/** After a last day of absence the next day counts. */
function daysBy(
  said: string,
  pattern: RegExp,
  read: (found: readonly (string | undefined)[]) => number | undefined,
): number[] {
  return [...said.matchAll(pattern)].flatMap((match) => {
    const [whole, ...found] = match;
    const day = read(found);
    if (day === undefined) return [];
    const after = said.slice(match.index + whole.length);
    const isLast = INCLUSIVE_BEFORE.test(whole) || INCLUSIVE_AFTER.test(after);
    return [isLast ? day + DAY_MS : day];
  });
}

const startOfDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;

/** Undefined for the 31st of a month that has 30 days. */
function dayOf(year: number, month: number, day: number): number | undefined {
  const at = Date.UTC(year, month - 1, day);
  const back = new Date(at);
  return back.getUTCMonth() === month - 1 && back.getUTCDate() === day ? at : undefined;
}

/** Without a year: the nearest such day, which may have passed. Many forget to end their automatic answers. */
function nearestDay(month: number, day: number, today: number): number | undefined {
  const year = new Date(today).getUTCFullYear();
  const days = [year - 1, year, year + 1].flatMap((each) => dayOf(each, month, day) ?? []);
  return days.toSorted((a, b) => Math.abs(a - today) - Math.abs(b - today))[0];
}

function numbersDay(
  [a, b, y]: readonly [string, string, string | undefined],
  mark: string,
  today: number,
): number | undefined {
  const year = y === undefined ? undefined : Number(y) + (y.length === 2 ? 2_000 : 0);
  const at = (month: number, day: number) =>
    year === undefined ? nearestDay(month, day, today) : dayOf(year, month, day);
  const european = at(Number(b), Number(a));
  // Only a slash is ambiguous: the nearer of the two readings that lie ahead.
  if (mark !== '/') return european;
  const american = at(Number(a), Number(b));
  const ahead = [european, american].filter((day) => day !== undefined && day >= today);
  return ahead.length === 0 ? undefined : Math.min(...(ahead as number[]));
}

function namedDay(
  day: string,
  name: string,
  year: string | undefined,
  today: number,
): number | undefined {
  const month = MONTHS.findIndex((names) => new RegExp(`^(?:${names})$`, 'iu').test(name)) + 1;
  return year === undefined
    ? nearestDay(month, Number(day), today)
    : dayOf(Number(year), month, Number(day));
}

function nextWeekday(name: string, today: number): number | undefined {
  const weekday = WEEKDAYS.findIndex((names) => new RegExp(`^(?:${names})$`, 'iu').test(name));
  const ahead = (weekday - new Date(today).getUTCDay() + 7) % 7;
  return today + (ahead === 0 ? 7 : ahead) * DAY_MS;
}
