/** The routes of custom fields: what accounts know of leads beside what all know. Choice 99. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams } from '../../http/schemas.ts';
import {
  changeCustomField,
  createCustomField,
  deleteCustomField,
  getCustomField,
  listUserCustomFields,
} from '../../services/leads/custom-fields.ts';
import {
  customField,
  customFieldChange,
  newCustomField,
  presentCustomField,
} from './custom-field-shapes.ts';

type Needs = Pick<Context, 'db' | 'config' | 'startOperation'>;

const tag = 'Leads';

export const customFieldRoutes = (context: Needs): Route[] => [
  create(context),
  list(context),
  read(context),
  change(context),
  remove(context),
];

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/custom-fields',
    operationId: 'customFields.create',
    tag,
    summary: 'Defines a field of leads of your own.',
    description:
      'Leads then have its value in `custom`, templates as `{{custom.name}}`, files in a column of its ' +
      'name or label, lists of leads the filter `custom.name`. Name and type stay; another type is ' +
      'another field. An account has at most 50 (400 `TOO_MANY_CUSTOM_FIELDS`).',
    status: 201,
    errors: { 400: ['CUSTOM_FIELD_EXISTS', 'TOO_MANY_CUSTOM_FIELDS'] },
    body: newCustomField,
    response: customField,
    handler: async ({ user, body }) => {
      const { name, label = name, type, choices = null } = body;
      const field = { name, label, type, choices };
      const row = await createCustomField(context, user.userId, field);
      return reply(presentCustomField(row), { message: `Leads have a field ${name}` });
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/custom-fields',
    operationId: 'customFields.list',
    tag,
    summary: 'Lists the custom fields of leads, the oldest first.',
    status: 200,
    response: z.array(customField),
    handler: async ({ user }) =>
      (await listUserCustomFields(context, user.userId)).map(presentCustomField),
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/custom-fields/:id',
    operationId: 'customFields.read',
    tag,
    summary: 'Reads a custom field.',
    status: 200,
    errors: { 404: ['CUSTOM_FIELD_NOT_FOUND'] },
    params: idParams,
    response: customField,
    handler: async ({ user, params }) =>
      presentCustomField(await getCustomField(context, user.userId, params.id)),
  });

const change = (context: Needs) =>
  route({
    method: 'patch',
    path: '/v1/custom-fields/:id',
    operationId: 'customFields.update',
    tag,
    summary: 'Changes the label or the choices of a custom field.',
    description:
      'Values of before stay, also those that are no choice any more; new ones have to be one.',
    status: 200,
    errors: { 404: ['CUSTOM_FIELD_NOT_FOUND'] },
    params: idParams,
    body: customFieldChange,
    response: customField,
    handler: async ({ user, params, body }) => {
      const subject = { userId: user.userId, id: params.id };
      return presentCustomField(await changeCustomField(context, subject, body));
    },
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/custom-fields/:id',
    operationId: 'customFields.delete',
    tag,
    summary: 'Deletes a custom field, and its values in all leads.',
    description:
      'For good: with the answer it is in no lead, file or filter any more, and its name is free; what ' +
      'there is of values is removed in the background. While an active or paused campaign has it in a ' +
      'text: 400 `CUSTOM_FIELD_IN_USE`. Drafts that have it cannot be started.',
    status: 200,
    errors: { 400: ['CUSTOM_FIELD_IN_USE'], 404: ['CUSTOM_FIELD_NOT_FOUND'] },
    params: idParams,
    response: z.object({ id: z.int() }),
    handler: async ({ user, params }) => {
      await deleteCustomField(context, user.userId, params.id);
      return reply({ id: params.id }, { message: 'The field is deleted' });
    },
  });
