/** How a step's progress is shown: on a terminal it counts in place, when piped in one line. */

export interface Progress {
  /** Something new; said again in the same words, it is not shown again. */
  say: (line: string) => void;
  /** Takes the place of the count before. When piped, only the last one of a step is shown. */
  count: (line: string) => void;
  /** The step is over. */
  end: () => void;
}

/** `task.output` shows a line: below its step on a terminal, as one more line when piped. */
export function showProgress(task: { output: string }, isTerminal: boolean): Progress {
  let shown = '';
  let counted = '';
  const show = (line: string) => {
    if (line !== shown) task.output = shown = line;
  };
  return {
    say: show,
    count(line) {
      if (isTerminal) show(line);
      else counted = line;
    },
    end() {
      if (counted !== '') show(counted);
    },
  };
}
