/** The name of the person whose address it is, where it is clearly next to it. */
import { matchesOf } from './matches.ts';
import { isRole } from './roles.ts';
import { withoutSigns } from './html/text.ts';

const REACH = 160;
const NAME =
  /(?<![\p{L}.])((?:\p{Lu}[\p{Ll}'’-]+\.? ){1,3}(?:(?:von|van|de|der|den|da|di|del|la|le|zu|of) ){0,2}\p{Lu}[\p{Ll}'’-]{1,30}(?:\p{Lu}\p{Ll}+)?)(?!\p{L})/gu;

/**
 * `Anna Berg` for `anna.berg@` or `a.berg@` when that name is shortly before the address: both must
 * match, since any two capitalised words look like a name.
 */
export function nameNear(text: string, at: number, email: string): string | undefined {
  const local = email.slice(0, email.lastIndexOf('@')).replaceAll(/\d/g, '');
  if (isRole(local)) return undefined;
  const before = withoutSigns(text.slice(Math.max(0, at - REACH), at + 60));
  let best: string | undefined;
  for (const [, name] of matchesOf(NAME, before)) if (agrees(name!, local)) best = name;
  return best?.replaceAll(/\s+/g, ' ');
}

/** Capitalised words that are also in mail addresses, but mean a business. */
const BUSINESS_WORDS = new Set(
  'pole departement department abteilung bureau famille immobilier hotel restaurant studio group gruppe gmbh team praxis kanzlei clinic dental salon bar cafe shop store garage service services house haus casa villa pension garden garten school schule club verein design media beauty fitness auto car cars taxi travel reisen office company company agency agentur center centre zentrum art gallery galerie foto photo photography bakery pizza pizzeria bistro agriturismo farm consulting solutions systems engineering bau immobilien real estate law legal the and und'.split(
    ' ',
  ),
);

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z ]/g, '');

function agrees(name: string, local: string): boolean {
  const parts = plain(name).split(' ').filter(Boolean);
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (last.length < 3 || first === last || parts.some((part) => BUSINESS_WORDS.has(part)))
    return false;
  const address = local.replaceAll(/[^a-z]/g, '');
  return (
    address === last ||
    address === first + last ||
    address === last + first ||
    address === first[0]! + last ||
    address === last + first[0]! ||
    (address === first && first.length >= 3)
  );
}
