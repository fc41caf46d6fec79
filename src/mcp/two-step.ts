/** Tools that spend money or send mail: the first call says what it costs, the second one does it. */
import { z } from 'zod';
import { isOutreachError } from '../../clients/typescript/src/index.ts';
import { canonical, type Order } from './confirmations.ts';
import { COMMITS, tool, type Grant, type Tool, type ToolCall } from './tool.ts';

/** What an effect would be. */
export interface Quote {
  /** One or two sentences for the user: how much, to whom, from where. */
  summary: string;
  /** Cents from the wallet; 0 where it is not charged. */
  amountCents: number;
  /** How many people would be written to. */
  recipients: number;
  /** What else is bound to the confirmation: where it changes, the user is asked again. */
  terms?: object;
}

const quoteSchema = z.object({
  summary: z.string().describe('Show it to the user, in whole'),
  amountCents: z.int().describe('From the wallet, in US cents'),
  recipients: z.int().describe('People who would be written to'),
  confirm: z.string().describe('Repeat the call with it, once the user agrees'),
  expiresAt: z.string(),
});

const confirmInput = z
  .string()
  .optional()
  .describe('`quote.confirm` of the first call. Without it nothing happens: a quote is answered');

interface TwoStep<I extends z.ZodObject, R extends z.ZodType> {
  name: string;
  title: string;
  description: string;
  needs: Grant;
  input: I;
  result: R;
  quote: (input: z.output<I>, call: ToolCall) => Promise<Quote>;
  /** MUST send the key with the request that has the effect. */
  act: (input: z.output<I>, call: ToolCall, confirmed: Confirmed) => Promise<z.input<R>>;
}

/** What the user agreed to. */
export interface Confirmed {
  idempotencyKey: string;
  /** Those of the quote, also where this is a repeat. */
  terms: Readonly<Record<string, unknown>>;
}

/** Declares a tool of two steps; it is offered only where its kind was granted. */
export function twoStep<I extends z.ZodObject, R extends z.ZodType>(step: TwoStep<I, R>): Tool {
  const { name, title, needs, quote, act } = step;

  async function ask(input: z.output<I>, call: ToolCall, note?: string) {
    const quoted = await quote(input, call);
    const { token, expiresAt } = call.confirmations.issue(
      orderOf(name, call, input),
      termsOf(quoted),
    );
    const { summary, amountCents, recipients } = quoted;
    return {
      status: 'needs_confirmation' as const,
      quote: {
        summary: note === undefined ? summary : `${note} ${summary}`,
        amountCents,
        recipients,
        confirm: token,
        expiresAt,
      },
    };
  }

  async function run({ confirm, ...rest }: Record<string, unknown>, call: ToolCall) {
    const input = rest as z.output<I>;
    if (confirm === undefined) return ask(input, call);
    const token = confirm as string;
    const { confirmations } = call;
    const { terms, isUsed, idempotencyKey } = confirmations.read(token, orderOf(name, call, input));
    // A repeat is answered by the API; a quote of what was bought already would say "not available".
    if (!isUsed && canonical(termsOf(await quote(input, call))) !== terms) {
      confirmations.drop(token);
      return ask(input, call, 'This has changed since the last quote; nothing was done.');
    }
    confirmations.use(token);
    try {
      const { terms: agreed } = JSON.parse(terms) as Pick<Confirmed, 'terms'>;
      const result = await act(input, call, { idempotencyKey, terms: agreed });
      return { status: 'done' as const, result };
    } catch (error) {
      if (isOutreachError(error) && error.status < 500) confirmations.drop(token);
      throw error;
    }
  }

  return tool({
    name,
    title,
    needs,
    annotations: COMMITS,
    description: `${step.description} The first call does nothing and answers what it would cost and to how many people it would write; show that to the user, and call again with \`confirm\` and the same arguments only if they agree.`,
    input: step.input.extend({ confirm: confirmInput }).strict(),
    output: z.object({
      status: z.enum(['needs_confirmation', 'done']),
      quote: quoteSchema.optional(),
      result: step.result.optional(),
    }),
    run: run as never,
  });
}

const orderOf = (name: string, { principal }: ToolCall, args: object): Order => ({
  tool: name,
  principal,
  args,
});

const termsOf = ({ amountCents, recipients, terms = {} }: Quote): object => ({
  amountCents,
  recipients,
  terms,
});

/** `$41.00`. */
export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
