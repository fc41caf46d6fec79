/** The port of language models that say what an answer means. Adapters obey each MUST. */
import type { Interest } from '../../domain/inbox/interest/interest.ts';
import type { AskableAccount } from '../../domain/operations/account-questions.ts';

/** `interest` is null where it is none of them, and where the model only guesses. */
export interface ModelJudgement {
  interest: Interest | null;
  /** 0 to 1. */
  confidence: number;
}

/**
 * The text was written by a stranger, who may address the model: an adapter MUST send it apart from the
 * instruction, and MUST take nothing from the model but one of the known words. A model that refuses, is cut
 * off or says something else MUST throw `rejected`; credit or a spending limit that is used up MUST throw
 * `quota`, whatever the vendor's status; a key or a model that it does not know MUST throw `auth`.
 */
export interface AnswerJudge extends AskableAccount {
  readonly name: string;
  /** `text`: what leaves the installation, as `textForModel` has it. Asking again costs, and changes nothing. */
  judge(text: string, signal?: AbortSignal): Promise<ModelJudgement>;
}
