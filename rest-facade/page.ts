/** The look of the pages, in the colors of the console. */
const style = `
:root { color-scheme: light dark; --accent: light-dark(#4338ca, #818cf8);
  --line: light-dark(#dee2e6, #434953); --soft: light-dark(#5a626b, #a3abb3) }
body { font: 16px/1.55 'Inter Variable', system-ui, sans-serif; max-width: 60rem; margin: 2.5rem auto;
  padding: 0 1rem; background: light-dark(#f7f8fa, #0f1113); color: light-dark(#16181c, #e6e8eb) }
h1, h2 { line-height: 1.25; letter-spacing: -.01em }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: .6rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top }
code { font-family: ui-monospace, monospace; font-size: .9em }
a { color: var(--accent) }
.button, .person { display: inline-block; text-decoration: none; border-radius: .6rem; padding: .6rem 1rem }
.button { background: #4338ca; color: #fff; font-weight: 600 }
.people { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)) }
.person { border: 1px solid var(--line); background: light-dark(#fff, #1d2025); color: var(--soft) }
.person strong { display: block; color: light-dark(#16181c, #e6e8eb) }
.person:hover, .person:focus-visible { border-color: var(--accent) }
`

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
