/**
 * Anthropic's Messages API (https://platform.claude.com/docs/en/api/messages), with structured outputs
 * (`output_config.format`). Credit that is used up is a 400 with a sentence, a spending limit a 429 that no
 * waiting cures and that has no Retry-After; 529 is an overload of theirs.
 */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { type Refusal, commonRefusal, refusalFacts, refusalMessage } from '../http-failures.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import type { AnswerJudge, ModelJudgement } from './port.ts';
import { keyAndModel } from './account-question.ts';
import {
  INSTRUCTION,
  MAX_VERDICT_TOKENS,
  noVerdict,
  questionOf,
  readVerdict,
  VERDICT_SCHEMA,
} from './question.ts';

const PROVIDER = 'anthropic';
const VERSION = '2023-06-01';

const AUTH_HINT = 'Check ANTHROPIC_KEY and its workspace.';
const MODEL_HINT =
  'Anthropic knows no such model, or the key may not use it: check ANTHROPIC_MODEL.';
const QUOTA_HINT =
  'Credit or spending limit at Anthropic is used up: buy credit or raise the limit.';

const settings = z.object({
  ANTHROPIC_KEY: z.string().min(1),
  ANTHROPIC_MODEL: z.string().min(1),
  ANTHROPIC_URL: z.url().default('https://api.anthropic.com'),
});

const message = z.object({
  stop_reason: z.string().nullable(),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
});
const refused = z.object({
  error: z.object({
    type: z.string(),
    message: z.string(),
    details: z.object({ error_code: z.string().nullish() }).nullish(),
  }),
});

export const anthropic = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['ANTHROPIC_URL'],
  ownHosts: ['api.anthropic.com'],
  // 50 requests a minute is the least that an account has.
  limit: { requestsPerSecond: 50 / 60, requestsPerActivity: 1 },
  create: createAnthropic,
});

function createAnthropic(config: z.infer<typeof settings>, tools: ProviderTools): AnswerJudge {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.ANTHROPIC_URL,
    headers: { 'x-api-key': config.ANTHROPIC_KEY, 'anthropic-version': VERSION },
    secrets: [config.ANTHROPIC_KEY],
    timeoutMs: tools.timeoutMs,
    refused: anthropicRefusal,
  });
  const path = `/v1/models/${encodeURIComponent(config.ANTHROPIC_MODEL)}`;
  return {
    name: PROVIDER,
    judge: (text, signal) => judge(client, { model: config.ANTHROPIC_MODEL, text, signal }),
    accountQuestions: () => [keyAndModel(client, path)],
  };
}

async function judge(
  client: JsonClient,
  asked: { model: string; text: string; signal: AbortSignal | undefined },
): Promise<ModelJudgement> {
  const answered = await client.send({
    method: 'POST',
    path: '/v1/messages',
    body: {
      model: asked.model,
      max_tokens: MAX_VERDICT_TOKENS,
      system: INSTRUCTION,
      messages: [{ role: 'user', content: questionOf(asked.text) }],
      output_config: { format: { type: 'json_schema', schema: VERDICT_SCHEMA } },
    },
    repeatable: true,
    answer: message,
    signal: asked.signal,
  });
  // `refusal`, `max_tokens` and whatever comes later: such an answer need not obey the schema.
  const { stop_reason: reason } = answered;
  if (reason !== 'end_turn') throw noVerdict(PROVIDER, CODES.has(reason!) ? reason! : 'no_verdict');
  const texts = answered.content.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : []));
  return readVerdict(PROVIDER, texts.join(''));
}

const CODES: ReadonlySet<string> = new Set(['refusal', 'max_tokens']);

function anthropicRefusal(refusal: Refusal): ProviderError {
  const error = refused.safeParse(refusal.body).data?.error;
  const text = error?.message ?? 'no explanation';
  const spent = error?.details?.error_code === 'enforced_spend_limit_reached';
  const code = spent ? 'enforced_spend_limit_reached' : (error?.type ?? String(refusal.status));
  const facts = refusalFacts(PROVIDER, refusal, code);
  const words = refusalMessage(PROVIDER, refusal, text);
  if (spent || refusal.status === 402 || (refusal.status === 400 && OUT_OF_CREDIT.test(text))) {
    return new ProviderError('quota', words, { ...facts, operatorHint: QUOTA_HINT });
  }
  if (refusal.status === 404) {
    return new ProviderError('auth', words, { ...facts, operatorHint: MODEL_HINT });
  }
  const common = commonRefusal(PROVIDER, refusal, { code, text, authHint: AUTH_HINT });
  return common ?? new ProviderError('rejected', words, facts);
}

const OUT_OF_CREDIT = /credit balance|usage limit/i;
