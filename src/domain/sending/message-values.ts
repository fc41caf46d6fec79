/** What the variables of a message say for one lead. */
import {
  areNamesOfBusiness,
  isNameOfCompany,
  isSingleNameOfBusiness,
  looksLikeBusiness,
} from '../leads/business-names.ts';
import { saying } from '../leads/placeholders.ts';
import { writtenValues } from '../campaigns/custom-variables.ts';
import { SIGNATURE_MARK, type TemplateValues } from '../campaigns/templates.ts';
import type { TypedValue } from '../leads/custom-fields.ts';

/** The lead with its company; everything but the address may be missing. */
export interface MessageRecipient {
  firstName: string;
  lastName: string;
  email: string;
  role?: string | null | undefined;
  company?: string | null | undefined;
  companyDomain?: string | null | undefined;
  website?: string | null | undefined;
  city?: string | null | undefined;
  /** Two letters. */
  countryCode?: string | null | undefined;
  /** Values of custom fields. */
  custom?: readonly TypedValue[] | null | undefined;
}

/** The values of all variables; of the sender those that a template may name. */
export function valuesOf({
  recipient,
  sender,
  links,
  language,
}: {
  recipient: MessageRecipient;
  sender: { name: string; email: string; signature?: string | null | undefined };
  links: { unsubscribeUrl: string };
  language: string;
}): TemplateValues {
  const { email, companyDomain, website } = recipient;
  const role = saying(recipient.role);
  const company = saying(recipient.company);
  const { firstName, lastName } = personOf({
    ...recipient,
    firstName: saying(recipient.firstName),
    lastName: saying(recipient.lastName),
    company,
  });
  return {
    firstName,
    lastName,
    fullName: `${firstName} ${lastName}`,
    email,
    role,
    company,
    companyDomain,
    // Any other scheme could be a link that acts when clicked.
    website: /^https?:\/\//i.test(website ?? '') ? website : undefined,
    city: saying(recipient.city),
    country: countryName(recipient.countryCode),
    senderName: sender.name,
    senderEmail: sender.email,
    unsubscribeUrl: links.unsubscribeUrl,
    signature: sender.signature ? SIGNATURE_MARK : undefined,
    ...writtenValues(recipient.custom, language),
  };
}

/**
 * A name equal to the company's is no person's, however it is split, nor is one with the signs of a business, of which a
 * single one needs fewer: leads have them from files. But a company that was made of a person, for a list, has their name and no website.
 */
function personOf({ firstName, lastName, company, companyDomain, website }: MessageRecipient) {
  const isOneName = lastName.trim() === '';
  const isCompany =
    (isOneName
      ? isSingleNameOfBusiness(firstName, company)
      : areNamesOfBusiness(firstName, lastName, company)) ||
    (isNameOfCompany({ firstName, lastName }, company) &&
      (isOneName ||
        Boolean(companyDomain || website) ||
        looksLikeBusiness(`${firstName} ${lastName}`)));
  return isCompany ? { firstName: '', lastName: '' } : { firstName, lastName };
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const countryName = (code: string | null | undefined): string | undefined =>
  /^[A-Za-z]{2}$/.test(code ?? '') ? countries.of(code!.toUpperCase()) : undefined;
