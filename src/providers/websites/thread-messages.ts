/** What the process and its crawling threads tell each other. */
import type { WebsitesOptions } from './options.ts';
import type { SiteAnswer, SiteQuestion } from './port.ts';

/** What a thread starts with. */
export interface ThreadStart {
  options: Omit<WebsitesOptions, 'dns'>;
  memoryBytes: number;
  requestsPerAddress: number;
  /**
   * Two integers that both sides see: the id of the visit whose page is being read (0 is none) and
   * how many pages have been. A thread that is stuck can be told apart so, and whose fault it is.
   */
  reading: Int32Array<SharedArrayBuffer>;
}

/** To a thread. */
export type Order =
  | { kind: 'visit'; id: number; question: SiteQuestion }
  | { kind: 'cancel'; id: number }
  | { kind: 'resolved'; id: number; addresses: string[] }
  | { kind: 'unresolved'; id: number };

/** From a thread: names are looked up by the process, which has the resolver. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; answer: SiteAnswer }
  | { kind: 'failure'; id: number; error: Error }
  | { kind: 'resolve'; id: number; name: string };
