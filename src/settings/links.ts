/** Links in messages on clients' own domains: the host that their CNAME records point to, and where it listens. */
import { z } from 'zod';
import { port } from './values.ts';

export const linkSettings = {
  /**
   * `*.<LINKS_HOST>` leads to the two ports below; unset = no tracking domains. Its ports 80 and 443 are those that
   * recipients and the certificate authority reach.
   */
  LINKS_HOST: z
    .hostname()
    .regex(/\.[a-z]/i, 'is a name with a dot')
    .transform((name) => name.toLowerCase().replace(/\.$/, ''))
    .optional(),
  /** Answers the authority's challenges; its port 80. */
  LINKS_HTTP_PORT: port.default(3080),
  /** Serves the links, each name with its own certificate; its port 443. */
  LINKS_TLS_PORT: port.default(3443),
};
