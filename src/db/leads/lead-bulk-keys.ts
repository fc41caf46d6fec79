/** Keys by which very many companies and people are looked up in an account at once. */
import { sql } from 'kysely';
import { arrayLiteral } from '../array-literal.ts';
import type { ImportMemory } from './lead-import-memory.ts';

export interface Account {
  userId: string;
  isSmall: boolean;
  memory: ImportMemory;
}

/** `offset 0`: without it the planner inlines the id. */
export const accountRow = (userId: string) =>
  sql`(select ${userId}::text as id offset 0) as account`;

export const byAge = (one: { id: number | null }, other: { id: number | null }) =>
  one.id! - other.id!;

export const distinct = <Value>(values: readonly (Value | null)[]): Value[] => [
  ...new Set(values.filter((value) => value !== null)),
];

/** Each once, as a set of rows. */
export const keys = (values: readonly (string | null)[]) =>
  sql`unnest(${literal(distinct(values))}::text[])`;

export const literal = (texts: readonly string[]): string => arrayLiteral(texts, (text) => text);
