/**
 * Property tests use the same cases in every run: a gate that draws new ones would fail on unrelated
 * changes. `npm run drill -- properties` draws any number of new ones. A setup file: fast-check keeps
 * these settings for the process.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });
