/** Which verdict the verifiers' stand-ins give for an address, by its local part or domain. */

export type MagicVerdict = 'valid' | 'invalid' | 'unknown' | 'disposable' | 'catch-all';

/** `invalid-ann@acme.test`, `ann@catchall-acme.test`; every other address is valid. */
export function magicVerdict(email: string): MagicVerdict {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).toLowerCase();
  const labels = email
    .slice(at + 1)
    .toLowerCase()
    .split('.');
  if (/^(invalid|bounce)-/.test(local)) return 'invalid';
  if (local.startsWith('unknown-')) return 'unknown';
  if (local.startsWith('disposable-')) return 'disposable';
  return labels.some((label) => label.startsWith('catchall-')) ? 'catch-all' : 'valid';
}

/** Words that verifiers tell from people. */
export const isRole = (email: string): boolean =>
  /^(info|sales|support|admin|contact|kontakt|hello|office|postmaster|webmaster|test)@/i.test(
    email,
  );

/** As simple as the verifiers' own check. */
export const isAddress = (email: string): boolean =>
  /^("[^"\r\n]+"|[^\s@"()<>,;:\\[\]]+)@([^\s@.]+\.)+[^\s@.]{2,}$/.test(email);
