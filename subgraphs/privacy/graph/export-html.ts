import { Liquid } from 'liquidjs'
import type { DataExport, PersonalRecord } from '../model/data-export.ts'

const liquid = new Liquid({ outputEscape: 'escape', cache: true })

const template = liquid.parse(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Personal data of {{ partyId }}</title>
<style>body{font-family:sans-serif;max-width:60rem;margin:2rem auto}dt{font-weight:bold}
dd{margin:0 0 .4rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere}</style></head>
<body>
<h1>Personal data of {{ partyId }}</h1>
<p>Data export {{ dataExportId }}. {{ records.size }} records on this page.</p>
{%- for record in records %}
<h2>{{ record.table }}</h2>
<p>Purpose: {{ record.purpose }}. Stored because: {{ record.retention }}</p>
<dl>
{%- for field in record.fields %}
<dt>{{ field.name }}</dt><dd>{{ field.value }}</dd>
{%- endfor %}
</dl>
{%- endfor %}
</body>
</html>
`)

/** Returns records of an export as an HTML document. Every value is escaped. */
export function exportHtml(
  { dataExportId, partyId }: DataExport,
  records: readonly PersonalRecord[],
): string {
  const shown = records.map(({ data, ...record }) => ({
    ...record,
    fields: Object.entries(data).map(([name, value]) => ({ name, value: shownValue(value) })),
  }))
  return liquid.renderSync(template, { dataExportId, partyId, records: shown }) as string
}

function shownValue(value: unknown): string {
  if (value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
