/** Pages for people: a trace as a waterfall, and the list of traces. Without scripts, and everything escaped. */
import type { KeptSpan, KeptTrace } from './span-store.ts';

/** More rows make no browser happy; the JSON has all. */
const MAX_ROWS = 2_000;

interface Row {
  span: KeptSpan;
  depth: number;
}

/** Parents before their children, children by their begin; a span whose parent is missing stands at the top. */
export function rowsOf({ spans }: KeptTrace): Row[] {
  const ids = new Set(spans.map(({ id }) => id));
  const children = new Map<string | undefined, KeptSpan[]>();
  for (const span of spans.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const parent =
      span.parentId !== undefined && ids.has(span.parentId) ? span.parentId : undefined;
    children.set(parent, [...(children.get(parent) ?? []), span]);
  }
  const rows: Row[] = [];
  const waiting = (children.get(undefined) ?? []).map((span) => ({ span, depth: 0 })).toReversed();
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    const { span, depth } = row;
    const below = (children.get(span.id) ?? []).map((one) => ({ span: one, depth: depth + 1 }));
    // A span that named itself its parent would be met again.
    children.delete(span.id);
    waiting.push(...below.toReversed());
  }
  return rows;
}

/** The page of one trace. */
export function waterfallPage(trace: KeptTrace): string {
  const rows = rowsOf(trace);
  const startedAt = Math.min(...rows.map(({ span }) => span.startedAt));
  const lasts = Math.max(0.001, Math.max(...rows.map(({ span }) => span.endedAt)) - startedAt);
  const shown = rows.slice(0, MAX_ROWS).map((row) => rowHtml(row, { startedAt, lasts }));
  const left = rows.length - shown.length;
  const more = [
    ...(left > 0 ? [`${left} more spans are in the JSON.`] : []),
    ...(trace.dropped > 0 ? [`${trace.dropped} spans did not fit into memory.`] : []),
  ];
  return page(
    titleOf(trace, rows[0]),
    `<p><a href="/">All traces</a> · <a href="/traces/${trace.id}.json">JSON</a> ·
${rows.length} spans · ${millis(lasts)} · <code>${trace.id}</code></p>
<div class="trace">${shown.join('\n')}</div><p>${more.join(' ')}</p>`,
  );
}

/** What it began with; that is missing while it goes on, as a session of sending does for hours. */
const titleOf = ({ id }: KeptTrace, first: Row | undefined): string => {
  if (!first) return id;
  return first.span.parentId === undefined ? first.span.name : 'goes on';
};

function rowHtml({ span, depth }: Row, whole: { startedAt: number; lasts: number }): string {
  const ms = span.endedAt - span.startedAt;
  const left = (100 * (span.startedAt - whole.startedAt)) / whole.lasts;
  const width = (100 * ms) / whole.lasts;
  const facts = Object.entries(span.attributes).map(([name, value]) => `${name}=${value}`);
  const title = escaped([span.service, ...facts].join('\n'));
  const kind = span.isError ? 'error' : kindOf(span.name);
  const attempt = Number(span.attributes['temporal.activity.attempt'] ?? 1);
  const error = span.isError ? ` <b>${escaped(span.attributes['error.type'] ?? 'error')}</b>` : '';
  const again = attempt > 1 ? ` <i>attempt ${attempt}</i>` : '';
  return (
    `<div title="${title}"><span style="padding-left:${depth * 14}px">${escaped(span.name)}${error}${again}</span>` +
    `<span><s class="${kind}" style="left:${left.toFixed(2)}%;width:${width.toFixed(2)}%"></s></span>` +
    `<span>${millis(ms)}</span></div>`
  );
}

/** The page of all traces, the newest first. */
export function listPage(traces: readonly KeptTrace[]): string {
  const rows = traces.toReversed().map((trace) => {
    const [first] = rowsOf(trace);
    const errors = trace.spans.filter(({ isError }) => isError).length;
    const at = first ? new Date(first.span.startedAt).toISOString() : '';
    return (
      `<tr><td>${at}</td><td><a href="/traces/${trace.id}">${escaped(titleOf(trace, first))}</a></td>` +
      `<td>${trace.spans.length} spans</td><td>${errors > 0 ? `${errors} failed` : ''}</td></tr>`
    );
  });
  const none = rows.length === 0 ? '<p>None yet: spans come some seconds after they end.</p>' : '';
  return page('Traces', `<table>${rows.join('\n')}</table>${none}`);
}

const COLOURS: readonly [RegExp, string][] = [
  [/^Run/, 'run'],
  [/^(SSH|SMTP|IMAP) /, 'mail'],
  [/^(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SQL)\b/, 'sql'],
  [/^[a-z_]+ (GET|POST|PUT|PATCH|DELETE)$|^stripe$/, 'vendor'],
];

const kindOf = (name: string): string => COLOURS.find(([form]) => form.test(name))?.[1] ?? 'other';

const millis = (ms: number): string =>
  ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char]!);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title><style>
body{font:13px/1.5 system-ui,sans-serif;margin:1.5em;color:#222}
code,.trace{font-family:ui-monospace,monospace;font-size:12px}
.trace>div{display:grid;grid-template-columns:minmax(20em,38%) 1fr 6em;gap:1em;border-bottom:1px solid #eee}
.trace>div:hover{background:#f5f7ff}.trace span{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.trace span:nth-child(2){position:relative}.trace span:nth-child(3){text-align:right;color:#666}
s{position:absolute;top:4px;height:10px;min-width:2px;border-radius:2px;background:#9aa5b1}
.run{background:#5b8def}.vendor{background:#e0a030}.mail{background:#3aa76d}.sql{background:#a58ad6}
.error{background:#d64545}.trace b{color:#d64545}.trace i{color:#b07000}td{padding:.1em 1em .1em 0}
</style><h1>${escaped(title)}</h1>${body}</html>`;
