/**
 * Moves messages and stack traces of failures to where the payload codec encrypts them.
 * docs/workflow-rules.md#small-and-encrypted-payloads.
 */
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
