/** Requests to an API of a bench, each with the time that it took. */
import { Agent, request } from 'node:http';

export type Client = ReturnType<typeof clientOf>;

export function clientOf(port: number) {
  const agent = new Agent({ keepAlive: true });
  return {
    /** Milliseconds from the request to the end of the answer. */
    ask: (key: string, path: string, method = 'GET', { mayFail = false } = {}) =>
      new Promise<{ status: number; text: string; took: number }>((resolve, reject) => {
        const start = performance.now();
        const headers = key === '' ? {} : { authorization: `Bearer ${key}` };
        request({ agent, port, host: '127.0.0.1', path, method, headers }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => (text += part));
          answer.on('end', () => {
            const status = answer.statusCode!;
            if (status !== 200 && !mayFail) return reject(new Error(`${path}: ${status} ${text}`));
            resolve({ status, text, took: performance.now() - start });
          });
        })
          .on('error', reject)
          .end();
      }),
  };
}
