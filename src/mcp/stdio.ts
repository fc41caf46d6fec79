/** The server on stdin and stdout, for a program that started this process. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpSettings } from './server.ts';

/** Serves until stdin ends. Nothing but the protocol is written to stdout. */
export async function serveStdio(settings: McpSettings, apiKey: string): Promise<void> {
  const server = createMcpServer(settings, apiKey);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  server.server.onerror = ({ message }) => settings.log(message);
  await server.connect(new StdioServerTransport());
  // The transport itself does not notice that nobody can ask any more.
  process.stdin.once('end', () => void server.close());
  await closed;
}
