/** The e-mail verifiers that exist. A new one is a file beside this one and a line here. */

export const emailVerifiers = {} as const;
