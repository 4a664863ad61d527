import { knownEvents, type DeclaredEvent } from '../kernel/events/events.ts'
import { areaOf } from './asyncapi.ts'
import { escapeHtml, page } from './page.ts'

/** Renders the event catalog as a page: all events by area, with their meaning and data. */
export function eventsPage(): string {
  const events = [...knownEvents.values()]
  const areas = [...new Set(events.map(({ type }) => areaOf(type)))]
  const sections = areas.map((area) => {
    const eventsOfArea = events.filter(({ type }) => areaOf(type) === area)
    return `<h2>${escapeHtml(area)}</h2>${table(eventsOfArea)}`
  })
  const intro =
    '<p>All event types that the bank emits, as <a href="https://cloudevents.io">CloudEvents</a>. Subscribe with ' +
    '<code>subscription { businessEvents }</code> in the <a href="/graphiql">graph</a>, or receive webhooks: ' +
    'register an endpoint with <code>registerWebhookEndpoint</code>, then subscribe with <code>POST /events/subscriptions</code> to one type, ' +
    'to an area such as <code>parties.*</code>, or to all events (<code>*</code>). Machine-readable: <a href="/asyncapi.json">asyncapi.json</a>.</p>'
  return page('Events', intro + sections.join(''))
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
