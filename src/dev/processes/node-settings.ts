/** How Node is started, as in production: by the image and the scripts `start:api` and `start:worker`. */

/**
 * V8 collects garbage with as many threads as the cores allow. With Node's default of four, a machine of two cores has
 * none left for requests.
 */
export const NODE_FLAGS = ['--v8-pool-size=0'];

/**
 * For glibc: what one thread has freed is used again by others. With parts of memory for each of some twenty threads, 40 to 80 MB
 * of a worker are what nobody uses.
 */
export const MEMORY_VARIABLES = { MALLOC_ARENA_MAX: '2' };
