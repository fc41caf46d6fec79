/** Reading web addresses that strangers wrote. */

/**
 * The address, or undefined where it is none. Not by `URL.canParse`: in Node.js 20, once it has been
 * compiled, it refuses every address with a message between U+0080 and U+00FF, such as `müller.de`.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
