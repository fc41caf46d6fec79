/** `outreach completion`: a script for the shell, made from the commands that there are. */
import { Argument, Command } from 'commander';
import type { Io } from '../io.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { placesOf, type Place } from './places.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `program` has all commands by the time that it runs. */
export const completionCommand = (io: Io, program: Command): Command =>
  new Command('completion')
    .description('Prints a script by which a shell completes commands and options.')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
Examples:
  $ source <(outreach completion bash)
  $ outreach completion bash > ~/.local/share/bash-completion/completions/outreach
  $ outreach completion zsh > "\${fpath[1]}/_outreach"
  $ outreach completion fish > ~/.config/fish/completions/outreach.fish`,
    )
    .action((shell: string) => io.out(SCRIPTS[shell]!(placesOf(program))));
