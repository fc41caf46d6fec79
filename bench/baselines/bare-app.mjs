/** The baseline of P15: a bare Express app that imports what the API imports, and uses Express. */
import '@asteasolutions/zod-to-openapi';
import '@temporalio/client';
import '@temporalio/common';
import '@temporalio/workflow';
import 'close-with-grace';
import express from 'express';
import 'helmet';
import 'http-terminator';
import 'imapflow';
import 'jose';
import 'kysely';
import 'nodemailer/lib/mail-composer';
import 'nodemailer/lib/smtp-connection';
import 'pg';
import 'pino';
import 'pino-http';
import 'prom-client';
import 'socks';
import 'ssh2';
import 'stripe';
import 'undici';
import 'yaml';
import 'zod';

const app = express();
app.get('/health', (_request, response) => {
  response.json({ success: true });
});
app.listen(Number(process.argv[2]), '127.0.0.1');
