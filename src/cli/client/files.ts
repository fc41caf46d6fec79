/** Files that a command is given by name. */
import { CommandEnd, EXIT } from '../io.ts';

/** What was read of it; a file that cannot be read ends the command. */
export const reading = <T>(file: string, read: Promise<T>): Promise<T> =>
  read.catch(() => {
    throw new CommandEnd(EXIT.failed, `${file} cannot be read.`);
  });

/** Ends the command where it cannot be written. */
export const writing = (file: string, write: Promise<void>): Promise<void> =>
  write.catch(() => {
    throw new CommandEnd(EXIT.failed, `${file} cannot be written.`);
  });
