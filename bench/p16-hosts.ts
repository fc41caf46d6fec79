/** The process of P16's mail hosts, seen from the bench. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Hosts of mailboxes are one label below it. */
export const HOSTS_DOMAIN = 'hosts.test';

/** Recipients with the times at which a message to them was taken. */
export type Book = [recipient: string, at: number[]][];

export interface HostState {
  /** Of IMAP, open now. */
  connections: number;
  /** That have logged in by IMAP. */
  mailboxes: number;
  /** Recipients of whom a message was taken. */
  messages: number;
}

export interface MailHosts {
  pid: number;
  caFile: string;
  proxy: string;
  dns: string;
  book(): Promise<Map<string, number[]>>;
  state(): Promise<HostState>;
  stop(): void;
}

export async function startMailHosts(directory: string): Promise<MailHosts> {
  const child = fork(new URL('p16-mail-hosts.ts', import.meta.url), [directory], {
    execArgv: ['--import', 'tsx'],
    // The book of a large run is too long for JSON in one message.
    serialization: 'advanced',
  });
  const [addresses] = (await once(child, 'message')) as [
    Pick<MailHosts, 'caFile' | 'proxy' | 'dns'>,
  ];
  // One question at a time: answers have no number.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <Answer>(question: 'book' | 'state'): Promise<Answer> => {
    const answer = last.then(async () => {
      child.send(question);
      return ((await once(child, 'message')) as [Answer])[0];
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    pid: child.pid!,
    ...addresses,
    book: async () => new Map(await ask<Book>('book')),
    state: () => ask<HostState>('state'),
    // A signal to the whole group has ended it already.
    stop: () => void (child.connected && child.disconnect()),
  };
}
