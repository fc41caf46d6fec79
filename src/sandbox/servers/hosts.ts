/** All simulated mail hosts of the world: rented, resumed after a restart, destroyed. */
import type { SandboxCore } from '../core.ts';
import { bounceMessage } from './bounce.ts';
import { SCRIPT_PATH } from './host-commands.ts';
import { createHost, deliverHere, type Host, type HostTools } from './host.ts';
import { hostsDomainOf, recipientMailbox, withoutExtension } from './host-context.ts';
import { createLoginRecords, type LoginRecords } from './logins.ts';
import { MACHINES, type Machine, type MachineOrder } from './machine.ts';
import { keepMailElsewhere, zoneElsewhere, type MailElsewhere } from './mail-elsewhere.ts';
import { createMailQueue, DeliveryRefused, type MailQueue } from './mail-queue.ts';
import { createMailStore } from './mail-store.ts';
import { deliverByMx } from './next-hop.ts';
import { readUserData } from './user-data.ts';

export interface Hosts {
  /** Boots a new machine; its listeners open when it is up. */
  rent(order: MachineOrder): void;
  /** Powers the machine off and deletes its disk. Harmless for one that is gone. */
  destroy(id: string): Promise<void>;
  /** Wipes the disk and boots a new system with this user-data at the same address. */
  reinstall(order: MachineOrder): Promise<void>;
  /** Orderly or by a power cut; only booted machines support it. */
  restart?(id: string, how: 'shut-down' | 'power-off'): Promise<void>;
  /** A message from outside, put directly into a mailbox; false when no host has it. */
  deliver(to: string, raw: Buffer): boolean;
  /** What `status` tells from now on instead of a host that is well; false when no host has the address. */
  ail?(ipv4: string, signs: Record<string, unknown>): boolean;
  /** A host that is somebody else's, with these mailboxes; further calls add to them. */
  elsewhere?(order: MailElsewhere): Promise<void>;
  queue: MailQueue;
  logins: LoginRecords;
  start(): Promise<void>;
  close(): Promise<void>;
}

export function createHosts(core: SandboxCore): Hosts {
  const { store } = core;
  const mail = createMailStore(store);
  const logins = createLoginRecords(store);
  const hosts = new Map<string, Host>();
  core.zone.addSource(zoneElsewhere(core));
  const queue = createMailQueue(core, {
    async deliver(message, raw) {
      const origin = hosts.get(message.origin)?.context;
      if (origin === undefined || !hostsDomainOf(origin, message.to)) {
        return deliverByMx(core, message, raw);
      }
      if (recipientMailbox(origin, message.to) === undefined) {
        throw new DeliveryRefused(true, `550 5.1.1 <${message.to}>: User unknown`);
      }
      deliverHere(origin, { ...message, raw });
    },
    giveUp(message, raw, reply) {
      const mailbox = mail.find(message.origin, withoutExtension(message.from));
      if (mailbox !== undefined) mail.deliver(mailbox, bounceMessage(message, raw, reply));
    },
  });
  const tools: HostTools = { core, mail, queue, logins };
  const boot = (id: string): Host => {
    const host = createHost(tools, id);
    hosts.set(id, host);
    return host;
  };

  const rent = ({ userData, ...order }: MachineOrder): void => {
    const { loginKeys, digests, failed, ...written } = readUserData(userData);
    const disk = { hostName: null, domains: [], certificates: [], bootFailed: failed };
    const authorizedKeys = [...order.authorizedKeys, ...loginKeys];
    const program = digests[SCRIPT_PATH];
    const machine: Machine = { ...order, ...disk, ...written, authorizedKeys, program };
    store.put(MACHINES, order.id, machine);
    void boot(order.id).boot();
  };
  const destroy = async (id: string): Promise<void> => {
    const host = hosts.get(id);
    if (host === undefined) return;
    hosts.delete(id);
    await host.switchOff();
    for (const mailbox of mail.list(id)) mail.remove(mailbox);
    store.delete(MACHINES, id);
  };

  return {
    queue,
    logins,
    rent,
    destroy,
    async reinstall(order) {
      await destroy(order.id);
      rent(order);
    },
    deliver(to, raw) {
      const mailbox = mail.findAnywhere(to) ?? mail.findAnywhere(withoutExtension(to));
      const host = mailbox && hosts.get(mailbox.hostId);
      if (host === undefined) return false;
      deliverHere(host.context, { from: senderIn(raw), to, raw, helo: 'outside.test' });
      return true;
    },
    ail(ipv4, signs) {
      const [machine] = store.list<Machine>(MACHINES).filter((each) => each.ipv4 === ipv4);
      if (machine !== undefined) store.put(MACHINES, machine.id, { ...machine, signs });
      return machine !== undefined;
    },
    async elsewhere(order) {
      const { id, isNew } = await keepMailElsewhere(core, mail, order);
      if (isNew) await boot(id).boot();
    },
    async start() {
      const machines = store.list<Machine>(MACHINES);
      // Hosts that were up are up again before the sandbox reports that it is ready.
      const up = machines.filter((machine) => machine.runningAtMs <= Date.now());
      for (const machine of machines) boot(machine.id);
      await Promise.all(up.map((machine) => hosts.get(machine.id)!.boot()));
      for (const machine of machines) {
        if (!up.includes(machine)) void hosts.get(machine.id)!.boot();
      }
      queue.start();
    },
    async close() {
      await Promise.all([...hosts.values()].map((host) => host.switchOff()));
    },
  };
}

/** The address in `From:`, for the envelope of a message that came without one. */
const senderIn = (raw: Buffer): string =>
  /^From:.*?([^\s<>"]+@[^\s<>"]+)/im.exec(raw.toString('latin1'))?.[1] ?? '';
