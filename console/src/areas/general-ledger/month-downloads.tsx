import { useApolloClient } from '@apollo/client/react'
import { Group } from '@mantine/core'
import { FileDownload, saveFromAddress } from '../../parts/file-download.tsx'
import { Section } from '../../parts/page.tsx'
import {
  JournalAddressDocument,
  ReportFileDocument,
  type AccountingReport,
  type JournalFileFormat,
} from './queries.generated.ts'

const reports: readonly { report: AccountingReport; label: string }[] = [
  { report: 'TRIAL_BALANCE', label: 'Trial balance' },
  { report: 'TRANSLATED_TRIAL_BALANCE', label: 'Translated trial balance' },
  { report: 'TRANSLATED_PROFIT_AND_LOSS', label: 'Translated profit and loss' },
  { report: 'TRANSLATED_BALANCE_SHEET', label: 'Translated balance sheet' },
]

const journalFormats: readonly { format: JournalFileFormat; label: string }[] = [
  { format: 'CSV', label: 'Spreadsheet (CSV)' },
  { format: 'NDJSON', label: 'Lines of JSON (NDJSON)' },
  { format: 'PARQUET', label: 'Data analysis (Parquet)' },
]

/** The journal and the reports of a month, to be saved as files. */
export function MonthDownloads({ accountingPeriodId }: { accountingPeriodId: string }) {
  const client = useApolloClient()
  const readPart = async (report: AccountingReport, after: string | null) => {
    const { data } = await client.query({
      query: ReportFileDocument,
      variables: { report, accountingPeriodId, format: 'CSV', after },
      fetchPolicy: 'network-only',
    })
    return data?.accountingExport
  }
  /** The parts of a report are joined: only the first one has the heading. */
  async function loadReport(report: AccountingReport) {
    const first = await readPart(report, null)
    if (!first) return null
    let { content, next } = first
    while (next !== null) {
      const part = await readPart(report, next)
      if (!part) return null
      content += part.content
      next = part.next
    }
    return { ...first, content }
  }
  /** Its address is requested at the click, because it soon expires. */
  async function saveJournal(format: JournalFileFormat, name: 'url' | 'manifestUrl') {
    const { data } = await client.query({
      query: JournalAddressDocument,
      variables: { accountingPeriodId, format },
      fetchPolicy: 'network-only',
    })
    const file = data?.journalFile
    if (file)
      saveFromAddress(
        file[name],
        name === 'manifestUrl' ? `journal-${accountingPeriodId}-manifest.json` : '',
      )
    return null
  }
  return (
    <Section
      title="Files"
      description="The journal has every entry of the month, in the order of the accounting dates. Its manifest has the number of rows, the totals and the hash of a file."
    >
      <Group gap="sm">
        <FileDownload
          label="Download the journal"
          choices={journalFormats.map(({ format, label }) => ({
            label,
            load: () => saveJournal(format, 'url'),
          }))}
        />
        <FileDownload
          label="Download a manifest"
          choices={journalFormats.map(({ format, label }) => ({
            label,
            load: () => saveJournal(format, 'manifestUrl'),
          }))}
        />
        <FileDownload
          label="Download a report"
          choices={reports.map(({ report, label }) => ({
            label: `${label} (CSV)`,
            load: () => loadReport(report),
          }))}
        />
      </Group>
    </Section>
  )
}
