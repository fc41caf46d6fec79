/** What the command line starts. */
export { Confirmations } from './confirmations.ts';
export { serveHttp, type HttpServing } from './http.ts';
export { serveStdio } from './stdio.ts';
