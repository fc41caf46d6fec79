/**
 * OpenAI's Chat Completions API (https://platform.openai.com/docs/api-reference/chat), with structured
 * outputs (`response_format`, strict). A 429 is also the answer to credit that is used up, where no waiting
 * helps: `code` tells them apart.
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

const PROVIDER = 'openai';

const AUTH_HINT = 'Check OPENAI_KEY, its project and permissions.';
const MODEL_HINT = 'OpenAI knows no such model, or the key may not use it: check OPENAI_MODEL.';
const QUOTA_HINT = 'Credit or budget at OpenAI is used up: buy credit or raise the budget.';

const settings = z.object({
  OPENAI_KEY: z.string().min(1),
  OPENAI_MODEL: z.string().min(1),
  OPENAI_URL: z.url().default('https://api.openai.com/v1'),
});

const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullable(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});
const refused = z.object({
  error: z.object({
    message: z.string(),
    type: z.string().nullish(),
    code: z.string().nullish(),
  }),
});

export const openai = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['OPENAI_URL'],
  ownHosts: ['api.openai.com', 'eu.api.openai.com', 'us.api.openai.com'],
  // 500 requests a minute is the least that an account that pays has.
  limit: { requestsPerSecond: 500 / 60, requestsPerActivity: 1 },
  create: createOpenai,
});

function createOpenai(config: z.infer<typeof settings>, tools: ProviderTools): AnswerJudge {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.OPENAI_URL,
    headers: { authorization: `Bearer ${config.OPENAI_KEY}` },
    secrets: [config.OPENAI_KEY],
    timeoutMs: tools.timeoutMs,
    refused: openaiRefusal,
  });
  const path = `/models/${encodeURIComponent(config.OPENAI_MODEL)}`;
  return {
    name: PROVIDER,
    judge: (text, signal) => judge(client, { model: config.OPENAI_MODEL, text, signal }),
    accountQuestions: () => [keyAndModel(client, path)],
  };
}

async function judge(
  client: JsonClient,
  asked: { model: string; text: string; signal: AbortSignal | undefined },
): Promise<ModelJudgement> {
  const { choices } = await client.send({
    method: 'POST',
    path: '/chat/completions',
    body: {
      model: asked.model,
      max_completion_tokens: MAX_VERDICT_TOKENS,
      messages: [
        { role: 'developer', content: INSTRUCTION },
        { role: 'user', content: questionOf(asked.text) },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'verdict', strict: true, schema: VERDICT_SCHEMA },
      },
      store: false,
    },
    repeatable: true,
    answer: completion,
    signal: asked.signal,
  });
  const { finish_reason: reason, message } = choices[0]!;
  if (message.refusal) throw noVerdict(PROVIDER, 'refusal');
  if (reason !== 'stop') throw noVerdict(PROVIDER, CODES.has(reason!) ? reason! : 'no_verdict');
  return readVerdict(PROVIDER, message.content ?? '');
}

const CODES: ReadonlySet<string> = new Set(['length', 'content_filter']);

function openaiRefusal(refusal: Refusal): ProviderError {
  const error = refused.safeParse(refusal.body).data?.error;
  const text = error?.message ?? 'no explanation';
  const code = error?.code ?? error?.type ?? String(refusal.status);
  const facts = refusalFacts(PROVIDER, refusal, code);
  const words = refusalMessage(PROVIDER, refusal, text);
  if (QUOTA_CODES.has(code) || QUOTA_CODES.has(error?.type ?? '')) {
    return new ProviderError('quota', words, { ...facts, operatorHint: QUOTA_HINT });
  }
  if (refusal.status === 404) {
    return new ProviderError('auth', words, { ...facts, operatorHint: MODEL_HINT });
  }
  const common = commonRefusal(PROVIDER, refusal, { code, text, authHint: AUTH_HINT });
  return common ?? new ProviderError('rejected', words, facts);
}

const QUOTA_CODES: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
]);
