/** Values of custom fields as files write them: numbers of several countries, days, words for yes and no. */
import { dayOfCell } from './custom-days.ts';
import { numberOf, textOf, type CustomField, type ReadValue } from './custom-fields.ts';

/** A column of a file that is read as a custom field. */
export interface CustomColumn {
  field: CustomField;
  column: number;
}

/** What a trimmed cell says; the problem reads on after the column's name. */
export function readCustomCell(field: CustomField, cell: string): ReadValue {
  if (cell === '') return { value: null };
  switch (field.type) {
    case 'number':
      return numberOfCell(cell);
    case 'boolean': {
      const value = YES.has(cell.toLowerCase()) || (NO.has(cell.toLowerCase()) ? false : null);
      return value === null ? { problem: 'is neither true nor false' } : { value };
    }
    case 'date': {
      const value = dayOfCell(cell);
      return value === undefined ? { problem: 'is not a day such as 2026-03-01' } : { value };
    }
    default:
      return asFound(textOf(field, cell));
  }
}

/** `must be ...` of a request is `is not ...` of a row. */
const asFound = (read: ReadValue): ReadValue =>
  'problem' in read ? { problem: read.problem.replace(/^must be/, 'is not') } : read;

/** English, German, French, Spanish, Italian, Portuguese, Dutch, Polish. */
const YES = new Set([
  'true',
  'yes',
  'y',
  '1',
  'x',
  'ja',
  'j',
  'oui',
  'si',
  'sí',
  'sì',
  'sim',
  'tak',
]);
const NO = new Set(['false', 'no', 'n', '0', 'nein', 'non', 'não', 'nao', 'nee', 'nie']);

/**
 * A single point is a decimal point, as in JSON. A single comma with three digits behind it may be either:
 * such a row is refused, since a thousandth of a number is worse than none.
 */
function numberOfCell(cell: string): ReadValue {
  const text = cell.replaceAll(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(text)) {
    return { problem: 'may be thousands or thousandths: write it without the comma' };
  }
  const plain = DIALECTS.map(([form, strip]) => (form.test(text) ? strip(text) : undefined));
  const found = plain.find((each) => each !== undefined);
  if (found === undefined) return { problem: 'is not a number' };
  return asFound(numberOf(Number(found)));
}

const DIALECTS: readonly (readonly [RegExp, (text: string) => string])[] = [
  // A very small one has an exponent in exports.
  [/^[+-]?\d+(\.\d+)?(e-\d+)?$/, (text) => text],
  [/^[+-]?\d+,\d+$/, (text) => text.replace(',', '.')],
  [/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/, (text) => text.replaceAll(',', '')],
  [/^[+-]?\d{1,3}(\.\d{3})+,\d+$/, (text) => text.replaceAll('.', '').replace(',', '.')],
  [/^[+-]?\d{1,3}(\.\d{3}){2,}$/, (text) => text.replaceAll('.', '')],
];
