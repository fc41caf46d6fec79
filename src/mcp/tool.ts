/** What a tool is: schemas that the caller sees and that hold for both sides, and its work as calls of the API. */
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Outreach } from '../../clients/typescript/src/index.ts';
import type { Confirmations } from './confirmations.ts';

/** What the one who started the server allowed beyond reading and harmless writes. */
export const GRANTS = ['spend', 'send'] as const;
export type Grant = (typeof GRANTS)[number];

/** How far long work is. `done` of `total`, in the same unit. */
export interface ToolProgress {
  done: number;
  total: number;
  message: string;
}

/** What a tool works with during one call. */
export interface ToolCall {
  outreach: Outreach;
  /** Aborted when the caller cancels or goes away. */
  signal: AbortSignal;
  /** Tells the caller, if it asked to be told. */
  report: (progress: ToolProgress) => void;
  confirmations: Confirmations;
  /** Whose API key it is, as a hash: a confirmation of one caller is none of another. */
  principal: string;
}

interface ToolFacts {
  /** `create_cluster`: a verb and its object. */
  name: string;
  title: string;
  description: string;
  /** Not offered unless it was granted. */
  needs?: Grant;
  annotations: ToolAnnotations;
}

/** A tool with its types erased, as lists hold it. */
export interface Tool extends ToolFacts {
  input: z.ZodObject;
  output: z.ZodObject;
  run: (input: never, call: ToolCall) => Promise<unknown>;
}

/**
 * Declares a tool. What `run` gives back is cut to what `output` names, so that a field which is not in it,
 * such as a password, cannot get out.
 */
export const tool = <I extends z.ZodObject, O extends z.ZodObject>(
  definition: ToolFacts & {
    input: I;
    output: O;
    run: (input: z.output<I>, call: ToolCall) => Promise<z.input<O>>;
  },
): Tool => definition;

/** Changes nothing. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds something of the account's own, which nobody outside sees. */
export const WRITES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** The same; repeated it changes nothing more. */
export const SETS: ToolAnnotations = { ...WRITES, idempotentHint: true };

/** Spends or sends, which cannot be taken back. A confirmation is good for one effect. */
export const COMMITS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};
