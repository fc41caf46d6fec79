/** The ad libraries that exist. A new one is a file beside this one and a line here. */

export const adLibraries = {} as const;
