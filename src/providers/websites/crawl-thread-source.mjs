/** Starts crawl-thread.ts from its source, for development: a thread does not inherit the loader. */
import { register } from 'tsx/esm/api';

register();
await import('./crawl-thread.ts');
