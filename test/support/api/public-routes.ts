/** The one list of routes that answer without a token; a test compares it with the actual behaviour. */
export const PUBLIC_ROUTES: readonly string[] = [
  'GET /health',
  'GET /health/ready',
  'GET /openapi.json',
  'GET /llms.txt',
  'GET /docs',
  'POST /wallet/webhook',
  'GET /oauth/callback',
  'GET /u/:token',
  'POST /u/:token',
  'POST /r/:token',
  'GET /t/:token',
];
