/** The contact finders that exist. A new one is a file beside this one and a line here. */

export const contactFinders = {} as const;
