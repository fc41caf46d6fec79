/** Shows the calls of vendors of this process among its metrics. */
import { Counter, type Registry } from 'prom-client';
import type { VendorCalls } from './vendor-calls.ts';

/** Every series of a configured vendor begins at 0, so that Prometheus sees its first refusal as an increase. */
export function addVendorCalls(registry: Registry, calls: VendorCalls): void {
  new Counter({
    name: 'outreach_vendor_calls_total',
    help: "Calls of vendors by how they ended: ok, or the kind of the vendor's failure (auth: it refuses our credentials)",
    labelNames: ['vendor', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [vendor, counts] of calls.counts()) {
        for (const [outcome, count] of Object.entries(counts)) {
          this.labels(vendor, outcome).inc(count);
        }
      }
    },
  });
}
