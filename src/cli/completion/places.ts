/** What may be typed where: the tree of commands as a list. */
import type { Command, Option } from 'commander';

/** A command, by the words that lead to it: `clusters list`. */
export interface Place {
  /** Empty for the program itself. */
  words: readonly string[];
  commands: readonly Word[];
  options: readonly PlaceOption[];
  /** Values of its arguments, where only some may be given. */
  values: readonly string[];
}

export interface Word {
  name: string;
  /** One line. */
  description: string;
}

export interface PlaceOption extends Word {
  /** `--state`. */
  name: string;
  takesValue: boolean;
  /** Empty: any. */
  values: readonly string[];
}

/** The program and everything below it. */
export const placesOf = (program: Command): Place[] => below(program, []);

function below(command: Command, words: readonly string[]): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const place: Place = {
    words,
    commands: commands.map((one) => ({ name: one.name(), description: lineOf(one.description()) })),
    options: help.visibleOptions(command).map(optionOf),
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [place, ...commands.flatMap((one) => below(one, [...words, one.name()]))];
}

const optionOf = (option: Option): PlaceOption => ({
  name: option.long ?? option.short ?? '',
  description: lineOf(option.description),
  takesValue: option.required || option.optional,
  values: option.argChoices ?? [],
});

const lineOf = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** All that may stand at a place, without a description. */
export const wordsAt = ({ commands, options, values }: Place): string[] => [
  ...commands.map(({ name }) => name),
  ...values,
  ...options.map(({ name }) => name),
];
