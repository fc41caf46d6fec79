/** Every stand-in of the world. A new one is a file and a line here. */
import type { SandboxCore, StandIn } from './core.ts';
import { createNamecom } from './namecom/stand-in.ts';

export const createStandIns = (core: SandboxCore): StandIn[] => [createNamecom(core)];
