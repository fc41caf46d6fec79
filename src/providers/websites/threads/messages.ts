/** The messages between the process and its crawling thread. */
import type { WebsitesOptions } from '../options.ts';
import type { SiteAnswer, SiteQuestion } from '../port.ts';

/** The thread's start data: all options but the resolver, which stays in the process. */
export type ThreadStart = Omit<WebsitesOptions, 'dns'>;

/** To the thread. */
export type Order =
  | { kind: 'visit'; id: number; question: SiteQuestion }
  | { kind: 'cancel'; id: number }
  | { kind: 'resolved'; id: number; addresses: string[] }
  | { kind: 'unresolved'; id: number };

/** From the thread. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; answer: SiteAnswer }
  | { kind: 'failure'; id: number; error: Error }
  | { kind: 'resolve'; id: number; name: string };
