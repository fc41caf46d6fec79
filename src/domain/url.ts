/** Parses web addresses from external input. */

/**
 * The URL, or undefined where it is invalid. Not by `URL.canParse`: in Node.js 20, once it has been compiled,
 * it refuses every URL with a character between U+0080 and U+00FF, such as `müller.de`.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
