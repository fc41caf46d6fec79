/**
 * Property tests take the same cases in every run: a gate that draws new ones fails on a change that
 * has nothing to do with what they find. `npm run drill -- properties` draws new ones, as many as are wanted.
 * A setup file: fast-check keeps what is set here for the process.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });
