/** Whether the vendors sell the servers that the settings name, and let them be mail hosts. */
import type { Context } from '../../context.ts';

type Needs = Pick<Context, 'config' | 'vps' | 'logger'>;

/**
 * Logs a warning for each setting whose server cannot be ordered, or soon cannot, for firewalls that would close
 * its ports, and for each vendor that could not be asked. Never throws: a worker starts all the same, since it has other work.
 */
export async function warnOfOrderProblems({ config, vps, logger }: Needs): Promise<void> {
  for (const vendor of new Set([config.DEFAULT_VPS, ...config.VPS_ALTERNATES])) {
    try {
      for (const problem of (await vps[vendor]?.orderProblems()) ?? []) {
        const { variable, message, cure } = problem;
        logger.warn(
          { vendor, ...problem },
          [`${variable ?? vendor}: ${message}`, cure].filter(Boolean).join('; '),
        );
      }
    } catch (err) {
      logger.warn({ vendor, err }, 'whether the configured server is sold could not be asked');
    }
  }
}
