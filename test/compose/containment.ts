/** What the containers really have: no root, no capability, no writable root, limits, an init. */
import { readFile } from 'node:fs/promises';
import type { Project } from './project.ts';

interface Inspected {
  Name: string;
  State: { Pid: number; Running: boolean };
  HostConfig: {
    ReadonlyRootfs: boolean;
    Init: boolean | null;
    Memory: number;
    NanoCpus: number;
    PidsLimit: number | null;
    SecurityOpt: string[] | null;
    LogConfig: { Type: string; Config: Record<string, string> };
    PortBindings: Record<string, { HostIp: string; HostPort: string }[]>;
  };
}

/** Answers a sentence; rejects with everything that is not as the file says. */
export async function inspectContainment({ containers, docker }: Project): Promise<string> {
  const ids = (await containers()).map(({ id }) => id);
  const all = JSON.parse(await docker('inspect', ...ids)) as Inspected[];
  const wrong: string[] = [];
  for (const { Name: name, State: state, HostConfig: host } of all) {
    const hold = (condition: unknown, what: string) => condition || wrong.push(`${name}: ${what}`);
    hold(host.ReadonlyRootfs, 'its root can be written to');
    hold(host.Init, 'no init');
    hold(host.Memory > 0 && host.NanoCpus > 0 && host.PidsLimit, 'no limits');
    hold(host.SecurityOpt?.includes('no-new-privileges:true'), 'may get new privileges');
    hold(host.LogConfig.Config['max-size'], 'logs without end');
    if (!state.Running) continue;
    // The kernel's own word, of the first process.
    const status = await readFile(`/proc/${state.Pid}/status`, 'utf8');
    hold(!/^Uid:\s+0\b/m.test(status), 'runs as root');
    hold(/^CapEff:\s+0+$/m.test(status) && /^CapBnd:\s+0+$/m.test(status), 'has capabilities');
  }
  const open = all.flatMap(({ HostConfig }) => Object.values(HostConfig.PortBindings ?? {}).flat());
  const others = open.filter(({ HostIp }) => HostIp !== '127.0.0.1').map((one) => one.HostPort);
  if (others.join() !== '3000') wrong.push(`open to other machines: ${others.join()}`);
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return `${all.length} containers without root, capabilities or a writable root; only port 3000 is open to others`;
}
