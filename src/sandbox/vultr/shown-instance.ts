/** An instance in the vendor's form. */
import { statesOf, type Instance } from './vendor-records.ts';
import { PLANS, SYSTEMS } from './catalogue.ts';

export function shownInstance(instance: Instance) {
  const plan = PLANS.find(({ id }) => id === instance.plan)!;
  const system = SYSTEMS.find(({ id }) => id === instance.osId)!;
  const states = statesOf(instance);
  // Until a machine is found there is no address, and the vendor writes it this way.
  const hasAddress = states.status === 'active';
  return {
    id: instance.id,
    os: system.name,
    ram: plan.ram,
    disk: plan.disk,
    main_ip: hasAddress ? instance.ipv4 : '0.0.0.0',
    vcpu_count: plan.vcpu_count,
    region: instance.region,
    plan: instance.plan,
    // Whole seconds with an offset, as the vendor writes times.
    date_created: new Date(instance.orderedAtMs).toISOString().replace(/\.\d+Z$/, '+00:00'),
    ...states,
    allowed_bandwidth: plan.bandwidth,
    netmask_v4: hasAddress ? '255.254.0.0' : '',
    gateway_v4: hasAddress ? '198.18.0.1' : '0.0.0.0',
    v6_network: '',
    v6_main_ip: '',
    v6_network_size: 0,
    label: instance.label,
    internal_ip: '',
    kvm: '',
    hostname: instance.hostname,
    tag: instance.tags[0] ?? '',
    tags: instance.tags,
    os_id: instance.osId,
    app_id: 0,
    image_id: '',
    firewall_group_id: '',
    features: [],
    user_scheme: 'root',
  };
}
