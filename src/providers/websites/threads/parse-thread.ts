/**
 * The program of the thread that reads pages: one message in, one out, in order. It stands behind the loops of all
 * processes: somebody waits for a request or for the next step of a purchase, nobody for one page.
 */
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { parsePage, type PageBytes } from '../parse-page.ts';
import type { READY } from './parser.ts';

/** A ninth of a processor where something else wants it all, and all of one that is idle. */
const NICENESS = 10;

// Linux has a priority for each thread, elsewhere this would be the whole process'. Only root may take one back.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), NICENESS));

let last = Promise.resolve();

parentPort?.on('message', (page: PageBytes) => {
  last = last.then(() => answer(page));
});
parentPort?.postMessage('ready' satisfies typeof READY);

async function answer(page: PageBytes): Promise<void> {
  const parsed = await parsePage(page).catch(() => ({ why: 'cannot be read' }));
  parentPort?.postMessage(JSON.stringify(parsed));
}
