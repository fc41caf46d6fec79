/** Wire shapes of the fields that users give of a lead, made from their declaration. */
import { z } from 'zod';
import {
  byName,
  byWireName,
  LEAD_FIELDS,
  type LeadField,
  type LeadFields,
} from '../../domain/leads/lead-fields.ts';
import { shortText } from '../../http/schemas.ts';
import { anyText, email, phone, textUpTo, timezone, webAddress } from './lead-texts.ts';

/** `Name` for a name, `Other` for all others, which may be null. */
type Of<Field extends LeadField, Name, Other> = LeadFields[Field]['kind'] extends 'name'
  ? Name
  : Other;

/** Of each field, by its name on the wire. */
type Each<Name, Other> = {
  [Field in LeadField as LeadFields[Field]['wire']]: Of<Field, Name, Other>;
};

const OTHERS = { email, phone, webAddress, timezone } as const;

const givenAs =
  <Name>(name: Name) =>
  (field: LeadField): Name | typeof anyText => {
    const declared = LEAD_FIELDS[field];
    if (declared.kind === 'name') return name;
    if (declared.kind !== 'text') return OTHERS[declared.kind];
    return 'accepts' in declared ? OTHERS[declared.accepts] : textUpTo(declared.max);
  };

/** What a request gives of a new lead. */
export const givenFields = byWireName(givenAs(shortText)) as Each<typeof shortText, typeof anyText>;

/** The same by the names in the program. */
export const givenByName = byName(givenAs(shortText)) as {
  [Field in LeadField]: Of<Field, typeof shortText, typeof anyText>;
};

/** Names are always given; others may be missing. */
type Given = Partial<Each<string, string | null | undefined>> & Record<NameWire, string>;
type NameWire = LeadFields['firstName' | 'lastName']['wire'];

export const personOf = (given: Given) =>
  byName((field) => given[LEAD_FIELDS[field].wire]) as {
    [Field in LeadField]: Of<Field, string, string | null | undefined>;
  };

const optionalName = shortText.optional();

/** What a change gives: all may be missing. */
export const changedFields = byWireName(givenAs(optionalName)) as Each<
  typeof optionalName,
  typeof anyText
>;

const name = z.string();
const text = z.string().nullable();

/** What an answer shows. */
export const shownFields = byWireName((field) =>
  LEAD_FIELDS[field].kind === 'name' ? name : text,
) as Each<typeof name, typeof text>;

export const presentFields = (valueOf: (field: LeadField) => string | null) =>
  byWireName(valueOf) as Each<string, string | null>;
