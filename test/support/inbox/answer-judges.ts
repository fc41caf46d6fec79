/** Language models of a sandbox, and what they were told. */
import { answerJudges } from '../../../src/providers/answer-judges/index.ts';
import type { AnswerJudge } from '../../../src/providers/answer-judges/port.ts';
import type { TestSandbox } from '../vendors/sandbox.ts';

export type JudgeName = keyof typeof answerJudges;

export const judgeSettings = (url: string): Record<JudgeName, Record<string, string>> => ({
  anthropic: {
    ANTHROPIC_KEY: 'anthropic-sandbox-key',
    ANTHROPIC_MODEL: 'sandbox-model',
    ANTHROPIC_URL: `${url}/anthropic`,
  },
  openai: {
    OPENAI_KEY: 'openai-sandbox-key',
    OPENAI_MODEL: 'sandbox-model',
    OPENAI_URL: `${url}/openai/v1`,
  },
});

/** One model of the sandbox, with settings changed. */
export function sandboxJudge(
  { url }: { url: string },
  name: JudgeName,
  changed: Record<string, string> = {},
  timeoutMs = 5_000,
): AnswerJudge {
  const state = answerJudges[name].configure({ ...judgeSettings(url)[name], ...changed });
  if (state.state !== 'on') throw new Error(`${name} is not configured`);
  return state.create({ timeoutMs, outboundProxy: undefined });
}

/** The texts that the model was given, oldest first. */
export async function textsToldTo(sandbox: TestSandbox, name: JudgeName): Promise<string[]> {
  const { body } = await sandbox.control('GET', '/books');
  const { charges } = body.languageModels[name] as { charges: { content: string }[] };
  return charges.map(({ content }) => (JSON.parse(content) as { answer: string }).answer);
}
