/** The parts of dns2 that the resolver uses, typed as its servers really are (dgram and net). */
import type { EventEmitter } from 'node:events';
import type { AddressInfo } from 'node:net';
import dns2 from 'dns2';

/** A dgram socket or a net server: each has the methods of its own kind. */
export interface DnsServerLike extends EventEmitter {
  listen(options: { port: number; host: string }): unknown;
  bind(options: { port: number; address: string }): unknown;
  address(): AddressInfo | string | null;
  close(done: () => void): unknown;
}

export type DnsResponse = (message: InstanceType<typeof dns2.Packet>) => unknown;

export default dns2 as unknown as {
  Packet: typeof dns2.Packet;
  createTCPServer(handle: Handle): unknown;
  createUDPServer(handle: Handle): unknown;
};

type Handle = (request: InstanceType<typeof dns2.Packet>, respond: DnsResponse) => void;

interface Writer {
  write(value: number, bits: number): void;
}
interface Service {
  priority: number;
  weight: number;
  port: number;
  target: string;
}

const { Name, Resource } = dns2.Packet as unknown as {
  Name: { encode(name: string): Buffer };
  Resource: { SRV: { encode(service: Service, writer: Writer): void } };
};
// RFC 2782: the target of an SRV record is not compressed. dns2 3.0 does it, and the resolver of Node 24
// refuses the answer.
Resource.SRV.encode = ({ priority, weight, port, target }, writer) => {
  for (const number of [priority, weight, port]) writer.write(number, 16);
  for (const byte of Name.encode(target)) writer.write(byte, 8);
};
