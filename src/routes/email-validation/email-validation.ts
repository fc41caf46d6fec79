/** E-mail validation. Choices 28, 29, 57-59. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import {
  EMAIL_VALIDATION_STATUSES,
  MAX_BULK_EMAILS,
} from '../../domain/email-validation/email-validation.ts';
import { paged } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, offsetOf, pageQuery, pathId } from '../../http/schemas.ts';
import {
  cancelValidation,
  getValidation,
  listValidationResults,
  listValidations,
  startBulkValidation,
  startListValidation,
  validateEmail,
} from '../../services/email-validation/email-validation.ts';
import {
  emailCheck,
  pendingCheck,
  presentValidation,
  presentValidationResult,
  validation,
  VALIDATION_RESULT_STATUSES,
  validationResult,
} from './email-validation-shapes.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'temporal' | 'startOperation' | 'emailChecker' | 'logger'
>;

const tag = 'Email validation';

export const emailValidationRoutes = (context: Needs): Route[] => [
  validate(context),
  bulk(context),
  list(context),
  read(context),
  results(context),
  cancel(context),
  leadList(context),
];

/** Choice 59: a text that is no address gets a result; only a missing one is an error. */
const emailText = z.string().max(1_000);

const validate = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/email-validation',
    operationId: 'emailValidations.check',
    tag,
    summary: 'Validates an address.',
    description:
      'Score: valid 95, catch-all 60, unknown 40, disposable 10, invalid 0; 15 less for addresses ' +
      'of a function (`info@`). `isValid`: a score of at least 70. Greylisting and refusals that are ' +
      'not about the mailbox are `unknown`, never `invalid`. Waits up to 25 s; slower than that the ' +
      'status is `pending`, and asking again answers. Results are kept: 30 days where the mailbox is ' +
      'known to exist or not, 7 days for risky ones, an hour or less for unknown ones.',
    status: 200,
    repeatable: true,
    changesNothing: true,
    body: z.object({ email: emailText }),
    response: emailCheck,
    handler: async ({ body }) =>
      (await validateEmail(context, body.email)) ?? pendingCheck(body.email, new Date()),
  });

const bulk = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/email-validation/bulk',
    operationId: 'emailValidations.create',
    tag,
    summary:
      'Validates up to 1,000 addresses; a job, which `GET /v1/email-validation/bulk/:id` tells of.',
    description:
      'With `leadListId`, leads of that list that have one of the addresses are updated.',
    status: 201,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    repeatable: true,
    body: z.object({
      emails: z.array(emailText).min(1).max(MAX_BULK_EMAILS),
      leadListId: bodyId.optional(),
    }),
    response: validation,
    handler: async ({ user, body, requestKey, noteWorkflow }) => {
      const order = { ...body, requestKey };
      const { job, workflowId } = await startBulkValidation(context, user.userId, order);
      noteWorkflow(workflowId);
      return presentValidation(job);
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/email-validation/bulk',
    operationId: 'emailValidations.list',
    tag,
    summary: 'Lists the jobs, newest first.',
    status: 200,
    paged: true,
    query: pageQuery.extend({
      status: z.enum(EMAIL_VALIDATION_STATUSES).optional(),
      leadListId: pathId.optional(),
    }),
    response: z.array(validation),
    handler: async ({ user, query }) => {
      const page = { ...query, offset: offsetOf(query) };
      const { rows, total } = await listValidations(context, user.userId, page);
      return paged(rows.map(presentValidation), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/email-validation/bulk/:id',
    operationId: 'emailValidations.read',
    tag,
    summary: 'Reads the progress of a job.',
    status: 200,
    errors: { 404: ['EMAIL_VALIDATION_NOT_FOUND'] },
    params: idParams,
    response: validation,
    handler: async ({ user, params }) =>
      presentValidation(await getValidation(context, user.userId, params.id)),
  });

const results = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/email-validation/bulk/:id/results',
    operationId: 'emailValidations.listResults',
    tag,
    summary: 'Lists the results of a job in the order in which the addresses were given.',
    description: 'What is not checked yet is `pending`; a greylisted address is tried again later.',
    status: 200,
    errors: { 404: ['EMAIL_VALIDATION_NOT_FOUND'] },
    paged: true,
    params: idParams,
    query: pageQuery.extend({ status: z.enum(VALIDATION_RESULT_STATUSES).optional() }),
    response: z.array(validationResult),
    handler: async ({ user, params, query }) => {
      const page = { ...query, offset: offsetOf(query) };
      const whose = { userId: user.userId, id: params.id };
      const { rows, total } = await listValidationResults(context, whose, page);
      return paged(rows.map(presentValidationResult), query, total);
    },
  });

const cancel = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/email-validation/bulk/:id/cancel',
    operationId: 'emailValidations.cancel',
    tag,
    summary: 'Stops a job; existing results stay.',
    description: 'Cancelling again changes nothing; a job that has ended is `INVALID_STATE`.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['EMAIL_VALIDATION_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    response: validation,
    handler: async ({ user, params }) =>
      presentValidation(await cancelValidation(context, user.userId, params.id)),
  });

const leadList = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/email-validation/lists/:leadListId',
    operationId: 'emailValidations.createOfLeadList',
    tag,
    summary: 'Validates the addresses of all leads of a list, as a job.',
    description: 'Sets `validationScore` and `emailValid` of the leads.',
    status: 201,
    errors: { 404: ['LEAD_LIST_NOT_FOUND'] },
    repeatable: true,
    params: z.object({ leadListId: pathId }),
    response: validation,
    handler: async ({ user, params, requestKey, noteWorkflow }) => {
      const order = { leadListId: params.leadListId, requestKey };
      const { job, workflowId } = await startListValidation(context, user.userId, order);
      noteWorkflow(workflowId);
      return presentValidation(job);
    },
  });
