/** All the ways in which the invented sites write a telephone number. */

export interface Written {
  /** As people of the country write it. */
  national: string;
  e164: string;
  /** What the language calls a telephone. */
  label: string;
  /** Dialling code without plus: `49`. */
  code: string;
}

const digits = (text: string): string => text.replaceAll(/\D/g, '');
/** Without the zero (or 8, or 06) that is for callers within the country. */
const significant = ({ e164, code }: Written): string => e164.slice(code.length + 1);
const spaced = (text: string): string => text.replaceAll(/(\d{3})(?=\d{3,})/g, '$1 ');

export const PHONE_WRITINGS: ((number: Written) => string)[] = [
  ({ e164, national, label }) => `<p>${label}: <a href="tel:${e164}">${national}</a></p>`,
  ({ national, label }) => `<p>${label}: ${national}</p>`,
  ({ national, label }) => `<p><strong>${label}</strong><br>${national}</p>`,
  ({ national, label }) => `<table><tr><td>${label}</td><td>${national}</td></tr></table>`,
  ({ national, label }) => `<dl><dt>${label}</dt><dd>${national}</dd></dl>`,
  (number) => `<p>${number.label} +${number.code} ${spaced(significant(number))}</p>`,
  (number) => `<p>${number.label}: 00${number.code} ${spaced(significant(number))}</p>`,
  ({ e164 }) => `<a href="tel:${e164}"><i class="fa fa-phone"></i></a>`,
  ({ national }) => `<li><i class="fas fa-phone-alt"></i> ${national}</li>`,
  ({ national }) => `<p>☎ ${national}</p>`,
  ({ national }) => `<p><img src="/img/phone.svg" alt="Phone"> ${national}</p>`,
  ({ national }) => `<span itemscope><span itemprop="telephone">${national}</span></span>`,
  ({ national, label }) => `<p>${label}:&nbsp;${national.replaceAll(' ', '&nbsp;')}</p>`,
  ({ national, label }) =>
    `<p>${label}: ${national.replaceAll(' ', '</span> <span>')}</p>`
      .replace('<p>', '<p><span>')
      .replace('</p>', '</span></p>'),
  ({ e164, national }) => `<a href="tel://${digits(e164)}" class="btn">${national}</a>`,
  ({ e164, label }) => `<a href="callto:${e164}">${label}</a>`,
  ({ national, label }) => `<p>${national} (${label})</p>`,
  ({ national, label }) => `<h4>${label}</h4><div class="value">${national}</div>`,
  ({ e164, national }) => `<a href="tel:${encodeURIComponent(spaced(e164))}">${national}</a>`,
  ({ national, label }) =>
    `<p>${label}: ${national.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))}</p>`,
];
