/** The registrars that exist. A new one is a file beside this one and a line here. */
export const registrars = {} as const;
