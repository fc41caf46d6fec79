/** The request schema of domain names: accepts any case or script, returns lower-case punycode. */
import { z } from 'zod';
import { normalDomainName } from '../../domain/domains/domain-name.ts';

export const domainName = z
  .string()
  .max(255)
  .refine((text) => normalDomainName(text) !== undefined, 'must be a domain name like acme.com')
  .transform((text) => normalDomainName(text)!)
  .meta({ type: 'string', example: 'acme.com' });
