/** A server in the vendor's form. */
import { firewallsOf } from './firewalls.ts';
import { defaultPtr, statusOf, type HetznerRecords, type RentedServer } from './vendor-records.ts';
import { IMAGES, LOCATIONS, SERVER_TYPES } from './catalogue.ts';

export function shownServer(vendorRecords: HetznerRecords, server: RentedServer) {
  const type = SERVER_TYPES.find((each) => each.id === server.typeId)!;
  const location = LOCATIONS.find((each) => each.id === server.locationId)!;
  return {
    id: server.id,
    name: server.name,
    status: statusOf(server),
    created: new Date(server.orderedAtMs).toISOString(),
    labels: server.labels,
    server_type: type,
    image: IMAGES.find((each) => each.id === server.imageId)!,
    location,
    public_net: publicNet(vendorRecords, server),
    private_net: [],
    primary_disk_size: type.disk,
    included_traffic: 21_990_232_555_520,
    ingoing_traffic: 0,
    outgoing_traffic: 0,
    backup_window: null,
    iso: null,
    load_balancers: [],
    volumes: [],
    locked: false,
    protection: { delete: false, rebuild: false },
    rescue_enabled: false,
  };
}

/** Simulated servers have IPv4 alone. */
const publicNet = (vendorRecords: HetznerRecords, server: RentedServer) => ({
  ipv4: {
    id: server.id,
    ip: server.ipv4,
    blocked: false,
    dns_ptr: server.ptr ?? defaultPtr(server.ipv4),
  },
  ipv6: null,
  floating_ips: [],
  firewalls: firewallsOf(vendorRecords, server).map(({ id }) => ({ id, status: 'applied' })),
});
