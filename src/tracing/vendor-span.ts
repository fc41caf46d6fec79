/** The span of one HTTP request to somebody else: whom and what kind of thing, never which one. */
import type { SpanOptions } from './spans.ts';

/** A segment that is a word of the vendor's, not an id, a name, an address or a key. */
const WORD = /^(v\d{1,2}|(?=.{1,24}$)[a-z]+([_-][a-z]+|[A-Z][a-z]+)*)$/;

/** `/v1/servers/123/actions?key=abc` -> `/v1/servers/:id/actions`. */
export const pathPattern = (path: string): string =>
  path
    .split(/[?#]/, 1)[0]!
    .split('/')
    .map((segment) => (segment === '' || WORD.test(segment) ? segment : ':id'))
    .join('/');

/** `isOurs`: the address is built by us for a vendor; of a stranger's only the host is told. */
export const requestSpan = (
  provider: string,
  { method, url, isOurs = false }: { method: string; url: URL; isOurs?: boolean },
): [name: string, options: SpanOptions] => [
  `${provider} ${method}`,
  {
    kind: 'CLIENT',
    attributes: {
      'outreach.provider': provider,
      'http.request.method': method,
      'server.address': url.hostname,
      ...(isOurs && { 'url.template': pathPattern(url.pathname) }),
    },
  },
];
