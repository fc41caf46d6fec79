/** SSH keys of the account: neither name nor key has to be unique. */
import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { z } from 'zod';
import type { VultrRecords } from './vendor-records.ts';
import { paged, refuse } from './wire.ts';

const createShape = z.object({
  name: z.string().min(1),
  ssh_key: z.string().regex(/^(ssh-(ed25519|rsa|dss)|ecdsa-sha2-\S+) [A-Za-z0-9+/]+=*( .*)?$/),
});

export function sshKeyRoutes(vendorRecords: VultrRecords): Router {
  const router = Router();
  const find = (id: string) => {
    const key = vendorRecords.sshKeys().find((each) => each.id === id);
    if (key === undefined) throw refuse(404, 'Invalid SSH Key ID');
    return key;
  };

  router.get('/ssh-keys', (request, response) => {
    response.json(paged('ssh_keys', vendorRecords.sshKeys(), request));
  });

  router.post('/ssh-keys', (request, response) => {
    const wanted = createShape.safeParse(request.body);
    if (!wanted.success) throw refuse(400, 'Invalid SSH key.');
    const date_created = new Date().toISOString();
    const key = { id: randomUUID(), ...wanted.data, date_created };
    vendorRecords.putSshKey(key);
    response.status(201).json({ ssh_key: key });
  });

  router.get('/ssh-keys/:id', (request, response) => {
    response.json({ ssh_key: find(request.params.id) });
  });

  router.delete('/ssh-keys/:id', (request, response) => {
    vendorRecords.deleteSshKey(find(request.params.id).id);
    response.status(204).end();
  });
  return router;
}
