/** The parts of hoodiecrow-imap that the sandbox uses; the package has no types of its own. */
declare module 'hoodiecrow-imap' {
  import type { EventEmitter } from 'node:events';
  import type { Duplex } from 'node:stream';

  namespace hoodiecrow {
    interface Message {
      uid: number;
      flags: string[];
      internaldate: string;
      /** One character per byte. */
      raw: string;
    }

    interface Folder {
      path: string;
      flags: string[];
      'special-use'?: string;
      uidvalidity: number;
      uidnext: number;
      messages: Message[];
    }

    interface Command {
      tag: string;
      command: string;
      attributes?: ({ type: string; value: string } | undefined)[];
    }

    interface Response {
      tag: string;
      command?: string;
      attributes?: unknown[];
    }

    interface Connection {
      server: Server;
      socket: Duplex | null;
      state: 'Not Authenticated' | 'Authenticated' | 'Selected' | 'Logout';
      selectedMailbox?: Folder;
      _notificationCallback: (notification: unknown) => void;
      /** Takes the next line in place of a command. */
      inputHandler: ((line: string) => void) | false;
      send(response: Response, description: string, parsed?: Command, raw?: string): void;
    }

    type CommandHandler = (
      connection: Connection,
      parsed: Command,
      raw: string,
      done: () => void,
    ) => void;

    /** What a FETCH asks of each message, such as `BODY.PEEK[]<0.1024>`. */
    interface FetchItem {
      value: string;
      section?: unknown[];
      /** First byte, and how many at most. */
      partial?: number[];
    }

    type FetchHandler = (connection: Connection, message: Message, item: FetchItem) => unknown;

    interface Server extends EventEmitter {
      storage: Record<string, unknown>;
      folderCache: Record<string, Folder>;
      /** Searched before hoodiecrow's own. */
      fetchHandlers: Record<string, FetchHandler>;
      outputHandlers: ((
        connection: Connection,
        response: Response,
        description: string,
        parsed?: Command,
        raw?: string,
        extra?: unknown,
      ) => void)[];
      createClient(socket: Duplex): void;
      createMailbox(path: string, folder?: Partial<Folder>): void;
      getMailbox(path: string): Folder | undefined;
      setCommandHandler(command: string, handler: CommandHandler): void;
      registerCapability(keyword: string, isShown?: (connection: Connection) => boolean): void;
      notify(command: Response, folder: Folder): void;
    }

    interface Options {
      /** `{}` keeps it from reading its own test certificate: TLS ends before it. */
      credentials: object;
      plugins: string[];
      storage?: Record<string, unknown>;
    }
  }

  function hoodiecrow(options: hoodiecrow.Options): hoodiecrow.Server;
  export = hoodiecrow;
}

declare module 'hoodiecrow-imap/lib/commands/handlers/fetch.js' {
  import type hoodiecrow from 'hoodiecrow-imap';

  const fetchHandlers: { BODY: hoodiecrow.FetchHandler };
  export = fetchHandlers;
}
