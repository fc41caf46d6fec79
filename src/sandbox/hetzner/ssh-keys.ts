/** SSH keys of the project: name and key are each unique. */
import { createHash } from 'node:crypto';
import { Router } from 'express';
import { z } from 'zod';
import type { HetznerRecords } from './vendor-records.ts';
import { checked, labelsShape, matchesLabels } from './labels.ts';
import { idOf, invalidInput, notFound, paged, refuse } from './wire.ts';

const createShape = z.object({
  name: z.string().min(1),
  public_key: z.string().min(1),
  labels: labelsShape.default({}),
});

export function sshKeyRoutes(vendorRecords: HetznerRecords): Router {
  const router = Router();
  const find = (id: number) => {
    const key = vendorRecords.sshKeys().find((each) => each.id === id);
    if (key === undefined) throw notFound('SSH Key', id);
    return key;
  };

  router.get('/ssh_keys', (request, response) => {
    const { name, fingerprint } = request.query;
    const keys = vendorRecords
      .sshKeys()
      .filter((key) => name === undefined || key.name === name)
      .filter((key) => fingerprint === undefined || key.fingerprint === fingerprint)
      .filter((key) => matchesLabels(key.labels, request));
    response.json(paged('ssh_keys', keys, request));
  });

  router.post('/ssh_keys', (request, response) => {
    const { name, public_key, labels } = checked(createShape, request.body);
    const fingerprint = fingerprintOf(public_key);
    if (vendorRecords.sshKeys().some((key) => key.fingerprint === fingerprint)) {
      throw refuse(409, 'uniqueness_error', 'SSH key with the same fingerprint already exists');
    }
    if (vendorRecords.sshKeys().some((key) => key.name === name)) {
      throw refuse(409, 'uniqueness_error', 'SSH key name is already used');
    }
    const created = new Date().toISOString();
    const id = vendorRecords.nextId('ssh-keys');
    const key = { id, name, fingerprint, public_key: public_key.trim(), labels, created };
    vendorRecords.putSshKey(key);
    response.status(201).json({ ssh_key: key });
  });

  router.get('/ssh_keys/:id', (request, response) => {
    response.json({ ssh_key: find(idOf(request, 'SSH Key')) });
  });

  router.delete('/ssh_keys/:id', (request, response) => {
    vendorRecords.deleteSshKey(find(idOf(request, 'SSH Key')).id);
    response.status(204).end();
  });
  return router;
}

/** MD5 of the key itself, as `ssh-keygen -E md5 -l` prints it. */
function fingerprintOf(line: string): string {
  const [type = '', body = ''] = line.trim().split(/\s+/);
  const bytes = Buffer.from(body, 'base64');
  const named = bytes.length > 4 ? bytes.subarray(4, 4 + bytes.readUInt32BE(0)).toString() : '';
  if (named === '' || named !== type) throw invalidInput('public_key', 'invalid public key');
  return createHash('md5').update(bytes).digest('hex').match(/../g)!.join(':');
}
