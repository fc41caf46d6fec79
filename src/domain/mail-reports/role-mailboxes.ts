/** Addresses that each domain takes mail for, whatever mailboxes it has. RFC 5321, 4.5.1; RFC 2142, 2 and 5. */

export const ROLE_NAMES = ['postmaster', 'abuse'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

export const roleAddress = (name: RoleName, domain: string): string => `${name}@${domain}`;

/** Whether the address is one of them, on any domain. */
export const isRoleAddress = (email: string): boolean =>
  ROLE_NAMES.some((name) => email.toLowerCase().startsWith(`${name}@`));
