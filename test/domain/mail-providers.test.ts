/** Who is behind an exchanger's name. */
import { expect, it } from 'vitest';
import { mailProviderOf } from '../../src/domain/email-validation/mail-providers.ts';

it.each([
  ['acme-com.mail.protection.outlook.com', 'microsoft'],
  ['other-org.mail.protection.outlook.com', 'microsoft'],
  ['acme-com.o-v1.mx.microsoft', 'microsoft'],
  ['aspmx.l.google.com', 'google'],
  ['smtp.google.com', 'google'],
  ['alt1.aspmx.l.googlemail.com', 'google'],
  ['mxa-00123.gslb.pphosted.com', 'proofpoint'],
  ['mx00.gmx.net', 'united-internet'],
  ['mx01.mail.icloud.com', 'apple'],
  ['mx1.acme.co.uk', 'acme.co.uk'],
  ['mx2.acme.co.uk', 'acme.co.uk'],
  ['acme.test', 'acme.test'],
])('%s belongs to %s', (exchanger, provider) => {
  expect(mailProviderOf(exchanger)).toBe(provider);
});
