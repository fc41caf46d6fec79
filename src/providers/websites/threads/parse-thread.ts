/** The program of the thread that reads pages: one message in, one out, in order. */
import { parentPort } from 'node:worker_threads';
import { parsePage, type PageBytes } from '../parse-page.ts';
import type { READY } from './parser.ts';

let last = Promise.resolve();

parentPort?.on('message', (page: PageBytes) => {
  last = last.then(() => answer(page));
});
parentPort?.postMessage('ready' satisfies typeof READY);

async function answer(page: PageBytes): Promise<void> {
  const parsed = await parsePage(page).catch(() => ({ why: 'cannot be read' }));
  parentPort?.postMessage(JSON.stringify(parsed));
}
