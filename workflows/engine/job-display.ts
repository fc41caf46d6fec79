/** What operators see of a long job in Temporal's UI. docs/workflow-rules.md#what-operators-see. */
import { workflowInfo } from '@temporalio/workflow';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import type { JobInput, JobMessage, JobView, ShownJob } from '../contracts/job.ts';
import { createAttributes, nowText, tell } from './details.ts';

/** Search attributes and current details, which say the same. A run that continues another one goes on with its words. */
export function createDisplay(input: JobInput) {
  const { step = null, progress = '', progressOf = null } = input.shown ?? {};
  const view: JobView = { state: 'running', step, progress, pages: 0 };
  const shown: ShownJob = { ...input.shown, step, progress, progressOf };
  const show = createAttributes(input);
  /** How far it is; of the step before, where this one has not said anything yet. */
  const far = () => {
    if (shown.progress === '') return '';
    const isOther = shown.progressOf !== view.step;
    return isOther ? `\`${shown.progressOf}\`: ${shown.progress}` : `So far: ${shown.progress}`;
  };
  const named = (words: string) => (view.step === null ? words : `\`${view.step}\`: ${words}`);
  tell(named('begins, or goes on.'), far());
  return {
    view,
    /** What a run that continues this one needs to say the same. */
    shown: (): ShownJob => ({ ...shown, step: view.step }),
    begin(now: string, words = '') {
      view.step = now;
      show('Running', now);
      tell(named(words === '' ? `under way since ${nowText()}.` : words), far());
    },
    note(now: string, { progress: told }: Pick<PageResult, 'progress'>) {
      view.pages += 1;
      view.progress = told;
      Object.assign(shown, { progress: told, progressOf: now });
      tell(`\`${now}\`: ${told}`);
    },
    /** It is paused: by whoever asked for it first, or, without a message, as its row says. */
    pausedBy(message: JobMessage | undefined) {
      if (shown.paused?.actor) return;
      shown.paused = { at: nowText(), ...shown.paused, ...message };
    },
    pause() {
      view.state = 'paused';
      show('Paused', view.step);
      tell(pauseWords(shown.paused), far(), RESUMES, resumeCommand());
    },
    goOn() {
      view.state = 'running';
      delete shown.paused;
    },
    rest(until: string) {
      tell(named(`waits until ${until}, or until something is asked of it.`), far());
    },
    end(words: string) {
      view.state = 'ended';
      show(null, null);
      tell(words, far());
    },
  };
}

const RESUMES = 'It goes on when whoever owns it resumes it, or by:';

const pauseWords = (paused: ShownJob['paused']): string => {
  if (!paused?.actor) return `Paused since ${paused?.at ?? nowText()}, as its row says.`;
  return `Paused by ${paused.actor} since ${paused.at}: ${paused.reason || 'no reason given'}.`;
};

function resumeCommand(): string {
  const { namespace, workflowId } = workflowInfo();
  const message = JSON.stringify({ actor: 'YOUR NAME', reason: 'WHY' });
  return [
    '```',
    `temporal workflow signal --namespace ${namespace} --workflow-id '${workflowId}' \\`,
    `  --name resume --input '${message}'`,
    '```',
  ].join('\n');
}
