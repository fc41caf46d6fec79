/**
 * How a step's progress is shown: on a terminal the count is updated in place, when piped in one line.
 */

export interface Progress {
  /** Shows a new line; repeating the same text shows nothing. */
  say: (line: string) => void;
  /** Replaces the previous count. When piped, only the last one of a step is shown. */
  count: (line: string) => void;
  /** Ends the step. */
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
