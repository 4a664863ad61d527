const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}' +
  'table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d8dee4;vertical-align:top}' +
  'code{font-family:ui-monospace,monospace}a{color:#0a5dc2}'

/** Renders an HTML page without external assets. `body` is HTML; `title` is text. */
export function page(title: string, body: string): string {
  const text = escapeHtml(title)
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">' +
    `<title>${text} · bankgraph</title><style>${style}</style></head>` +
    `<body><main><h1>${text}</h1>${body}</main></body></html>`
  )
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (char) => entities[char]!)
}
