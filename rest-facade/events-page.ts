import { knownEvents, type DeclaredEvent } from '../subgraphs/_kernel/events.ts'
import { areaOf } from './asyncapi.ts'
import { escapeHtml, page } from './page.ts'

/** The event catalogue for people: every event by area, with what it means and holds. */
export function eventsPage(): string {
  const events = [...knownEvents.values()]
  const areas = [...new Set(events.map(({ type }) => areaOf(type)))]
  const parts = areas.map((area) => {
    const own = events.filter(({ type }) => areaOf(type) === area)
    return `<h2>${escapeHtml(area)}</h2>${table(own)}`
  })
  const intro =
    '<p>Every fact the bank tells, as a <a href="https://cloudevents.io">CloudEvent</a>. Listen with ' +
    '<code>subscription { businessEvents }</code> in the <a href="/graphiql">graph</a>, or have them sent: ' +
    '<code>POST /events/subscriptions</code> for a type, <code>parties.*</code> or <code>*</code>, and ' +
    '<code>registerWebhookEndpoint</code>. For programs: <a href="/asyncapi.json">asyncapi.json</a>.</p>'
  return page('Events', intro + parts.join(''))
}

function table(events: readonly DeclaredEvent[]): string {
  const rows = events.map(
    ({ type, meaning, data }) =>
      `<tr id="${type}"><td><code>${type}</code></td><td>${escapeHtml(meaning)}</td><td>${members(data)}</td></tr>`,
  )
  return `<table><tr><th>Type</th><th>Meaning</th><th>Data</th></tr>${rows.join('')}</table>`
}

function members({ properties = {} }: DeclaredEvent['data']): string {
  const names = Object.keys(properties as object)
  return names.map((name) => `<code>${escapeHtml(name)}</code>`).join(' ') || 'an object'
}
