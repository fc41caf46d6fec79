/** The program of the crawling thread: runs visits, and asks the process to resolve names. */
import { parentPort, workerData } from 'node:worker_threads';
import type { AddressResolver } from '../../network.ts';
import { createCrawler } from '../crawler.ts';
import type { SiteQuestion } from '../port.ts';
import type { Order, Report, ThreadStart } from './messages.ts';

const report = (message: Report): void => parentPort?.postMessage(message);

const cancels = new Map<number, AbortController>();
const lookups = new Map<number, (addresses: string[] | undefined) => void>();
let lastLookup = 0;

const dns: AddressResolver = {
  resolveA: (name) =>
    new Promise((resolve, reject) => {
      lastLookup += 1;
      const id = lastLookup;
      lookups.set(id, (addresses) => {
        lookups.delete(id);
        if (addresses) resolve(addresses);
        else reject(new Error(`no answer about ${name}`));
      });
      report({ kind: 'resolve', id, name });
    }),
};

const crawler = createCrawler({ ...(workerData as ThreadStart), dns });

async function visit(id: number, question: SiteQuestion): Promise<void> {
  const cancel = new AbortController();
  cancels.set(id, cancel);
  try {
    report({ kind: 'answer', id, answer: await crawler.visit(question, cancel.signal) });
  } catch (error) {
    report({ kind: 'failure', id, error: error as Error });
  } finally {
    cancels.delete(id);
  }
}

parentPort?.on('message', (order: Order) => {
  if (order.kind === 'visit') void visit(order.id, order.question);
  else if (order.kind === 'cancel') cancels.get(order.id)?.abort();
  else lookups.get(order.id)?.(order.kind === 'resolved' ? order.addresses : undefined);
});

report({ kind: 'ready' });
