/** The language models that exist; `INTEREST_MODEL` names the one that is asked. */
import { anthropic } from './anthropic.ts';
import { openai } from './openai.ts';

export const answerJudges = { anthropic, openai } as const;
