/** All settings that are not a vendor's own, one entry per variable. */
import { z } from 'zod';
import { accessSettings } from './access.ts';
import { linkSettings } from './links.ts';
import { processSettings } from './process.ts';
import { sendingSettings } from './sending.ts';
import { temporalSettings } from './temporal.ts';
import { testModeSettings } from './test-mode.ts';
import { tracingSettings } from './tracing.ts';
import { vendorSettings } from './vendors.ts';
import { webhookSettings } from './webhooks.ts';

/** `.env.example` is compared with this and with the vendors' settings. */
export const environmentSchema = z.object({
  ...processSettings,
  ...temporalSettings,
  ...tracingSettings,
  ...accessSettings,
  ...linkSettings,
  ...vendorSettings,
  ...sendingSettings,
  ...webhookSettings,
  ...testModeSettings,
});

export type Settings = Readonly<z.infer<typeof environmentSchema>>;
