/** Who wrote a message and to whom, from its address headers. RFC 5322, 3.4. */
import { addressParser } from 'postal-mime';
import { shortened, storable } from '../../src/domain/storable-text.ts';
import { withMarks } from './mime-headers.ts';

export interface Person {
  /** Lower case. */
  address: string;
  name: string;
}

const MAX_NAME_CHARS = 200;

const ATOM = String.raw`[^\s"(),:;<>@\\[\]]+`;
/** `a@b.com`, `<a@b.com>`, `Ann Lee <a@b.com>`, `"Lee, Ann" <a@b.com>`; other forms go to a full parser. */
const USUAL = new RegExp(
  `^(?:(${ATOM}@${ATOM})|(?:"([^"\\\\@<>]*)"\\s*|([^"(),:;<>@\\\\[\\]']*))<(${ATOM}@${ATOM})>)$`,
);

/** The people of one header; groups are flattened, people without an address left out. */
export function peopleIn(header: string): Person[] {
  const usual = header.includes('=?') ? undefined : usualPeople(header);
  if (usual) return usual;
  return addressParser(header)
    .flatMap((each) => each.group ?? [each])
    .flatMap(({ address, name }) => (address ? [person(address, withMarks(name))] : []));
}

function usualPeople(header: string): Person[] | undefined {
  const people: Person[] = [];
  for (const each of header.includes('"') ? [header] : header.split(',')) {
    const found = USUAL.exec(each.trim());
    if (!found) return undefined;
    const [, bare, quoted, words, address] = found;
    people.push(person((bare ?? address)!, quoted ?? words ?? ''));
  }
  return people;
}

const person = (address: string, name: string): Person => ({
  address: oneLine(address).toLowerCase(),
  name: shortened(oneLine(name), MAX_NAME_CHARS),
});

/** Makes text storable, with every run of white space replaced by one space. */
export const oneLine = (text: string): string => storable(text).replaceAll(/\s+/gu, ' ').trim();
