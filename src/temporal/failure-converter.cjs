/** Puts messages and stack traces of failures where the payload codec encrypts them. Workflows: W3. */
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
