/** Errors of the database that the data has caused: a retry fails the same way, or nearly so. */
import { causesOf } from '../domain/database-down.ts';

/** SQLSTATE classes 21-23 (values, constraints) and 54 (sizes). */
export const isDataError = (error: unknown): boolean =>
  causesOf(error).some(({ code }) => typeof code === 'string' && /^(?:2[123]|54)/.test(code));
