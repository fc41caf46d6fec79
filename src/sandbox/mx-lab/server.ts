/** An SMTP server that follows a script line by line, and records what no probe may do. */
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { SandboxCore } from '../core.ts';
import { defaultCertificate } from '../servers/default-certificate.ts';
import { OK, type LabScript, type Move, type SmtpState } from './script.ts';

/** What the lab has recorded since it began. */
export interface LabNotes {
  connections: number;
  recipients: number;
  /** DATA: a probe that sends messages. */
  messages: number;
  /** Several commands at once to a server that does not offer PIPELINING. */
  improperPipelining: number;
  quits: number;
  /** The most connections that a server had open at once, by its name. */
  mostAtOnce: Record<string, number>;
}

export const newNotes = (): LabNotes => ({
  connections: 0,
  recipients: 0,
  messages: 0,
  improperPipelining: 0,
  quits: 0,
  mostAtOnce: {},
});

interface Session {
  core: Pick<SandboxCore, 'wait'>;
  script: LabScript;
  notes: LabNotes;
  state: SmtpState;
}

/** Handles each connection. */
export function labServer(
  core: Pick<SandboxCore, 'wait'>,
  { name, script }: { name: string; script: LabScript },
  notes: LabNotes,
): (socket: Socket) => void {
  let open = 0;
  return (socket) => {
    notes.connections += 1;
    open += 1;
    notes.mostAtOnce[name] = Math.max(open, notes.mostAtOnce[name] ?? 0);
    socket.on('close', () => (open -= 1));
    const state: SmtpState = { accepted: [], asked: [], errors: 0, isSecure: false };
    const session: Session = { core, script, notes, state };
    const greeting = script.greeting ?? '220 mxlab.test ESMTP';
    void perform(session, socket, greeting).then(() => converse(session, socket));
  };
}

/** Reads lines and answers them in their order. */
function converse(session: Session, socket: Socket): void {
  let rest = '';
  let previous = Promise.resolve();
  const hear = (chunk: Buffer) => {
    rest += chunk.toString('utf8');
    const lines = rest.split(/\r?\n/);
    rest = lines.pop()!;
    if (lines.length > 1 && !session.script.extensions?.includes('PIPELINING')) {
      session.notes.improperPipelining += 1;
    }
    for (const line of lines) {
      previous = previous.then(async () => {
        if (!socket.writable) return;
        if (/^STARTTLS/i.test(line)) {
          socket.off('data', hear);
          return secure(session, socket);
        }
        return perform(session, socket, moveFor(session, line));
      });
    }
  };
  socket.on('data', hear);
  socket.on('error', () => socket.destroy());
}

function moveFor({ script, notes, state }: Session, line: string): Move {
  const [, verb = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  const address = /<([^>]*)>/.exec(rest)?.[1] ?? '';
  switch (verb.toUpperCase()) {
    case 'EHLO':
      return script.ehlo ?? capabilities(script.extensions ?? []);
    case 'HELO':
      return script.helo ?? '250 mxlab.test';
    case 'RSET':
      startTransaction(state);
      return OK;
    case 'MAIL':
      startTransaction(state);
      return script.mail?.(address, state) ?? '250 2.1.0 Ok';
    case 'RCPT':
      notes.recipients += 1;
      state.asked.push(address);
      return noted(state, address, script.rcpt(address, state));
    case 'QUIT':
      notes.quits += 1;
      return '221 2.0.0 Bye';
    case 'DATA':
      notes.messages += 1;
      return '554 5.7.1 This is a laboratory: no messages';
    case 'NOOP':
      return OK;
    default:
      return '502 5.5.2 Command not recognized';
  }
}

function startTransaction(state: SmtpState): void {
  state.accepted = [];
  state.asked = [];
}

function noted(state: SmtpState, address: string, move: Move): Move {
  if (move.startsWith('2')) state.accepted.push(address);
  if (move.startsWith('5')) state.errors += 1;
  return move;
}

const capabilities = (extensions: readonly string[]): string =>
  ['mxlab.test', ...extensions]
    .map((line, at) => `250${at === extensions.length ? ' ' : '-'}${line}`)
    .join('\r\n');

async function perform({ core, script }: Session, socket: Socket, move: Move): Promise<void> {
  if (script.delayMs !== undefined) await core.wait(script.delayMs);
  if (move === 'say nothing' || !socket.writable) return;
  if (move === 'hang up') return void socket.destroy();
  socket.write(`${move}\r\n`);
  if (/^(221|421)/.test(move)) socket.end();
}

async function secure(session: Session, socket: Socket): Promise<void> {
  const { key, certificate } = await defaultCertificate();
  const secureContext = createSecureContext({ key, cert: certificate });
  socket.write('220 2.0.0 Ready to start TLS\r\n');
  const wrapped = new TLSSocket(socket, { isServer: true, secureContext });
  session.state.isSecure = true;
  converse(session, wrapped);
}
