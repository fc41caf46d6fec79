/** Starts a thread's program from its TypeScript source. */
import { register } from 'tsx/esm/api';

register();
await import(new URL(process.argv[2], import.meta.url).href);
