#!/usr/bin/env node
/** The `outreach` command line. */
import { commandEnvironment } from '../config.ts';
import { terminalInput } from './client/terminal.ts';
import { runCommand } from './program.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  environment: commandEnvironment(),
  input: terminalInput(),
});
