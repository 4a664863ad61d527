import { useApolloClient } from '@apollo/client/react'
import { useBusinessDate } from '../../app/environment.ts'
import { dayBefore } from '../../parts/days.ts'
import { certificateYears } from '../../parts/certificate-years.ts'
import { decoded, FileDownload } from '../../parts/file-download.tsx'
import {
  AccountCertificateDocument,
  StatementFileDocument,
  StatementPdfDocument,
  type StatementFileQueryVariables,
} from './queries.generated.ts'

const formats = [
  { format: 'CSV', label: 'Spreadsheet (CSV)' },
  { format: 'CAMT_053', label: 'Accounting program (camt.053)' },
] as const
const days = 365

interface Props {
  arrangementId: string
  openedAt: string
}

/** Saves the statement of the last year, or the certificate of interest of a calendar year, as a file. */
export function StatementDownload({ arrangementId, openedAt }: Props) {
  const client = useApolloClient()
  const to = useBusinessDate()
  const period = () => ({ arrangementId, from: dayBefore(to!, days), to: to! })
  async function loadPdf() {
    const { data } = await client.query({
      query: StatementPdfDocument,
      variables: period(),
      fetchPolicy: 'network-only',
    })
    return decoded(data?.accountArrangement?.statement?.pdf)
  }
  async function loadStatement(format: StatementFileQueryVariables['format']) {
    const { data } = await client.query({
      query: StatementFileDocument,
      variables: { ...period(), format },
      fetchPolicy: 'network-only',
    })
    return data?.accountArrangement?.statement?.file
  }
  async function loadCertificate(year: number) {
    const { data } = await client.query({
      query: AccountCertificateDocument,
      variables: { arrangementId, year },
      fetchPolicy: 'network-only',
    })
    return decoded(data?.accountArrangement?.annualCertificate?.file)
  }
  return (
    <FileDownload
      label="Download statement"
      isDisabled={!to}
      choices={[
        { label: 'To read and print (PDF)', load: loadPdf },
        ...formats.map(({ format, label }) => ({ label, load: () => loadStatement(format) })),
        ...certificateYears(openedAt, to ?? '').map((each) => ({
          label: `Certificate of interest for ${each} (PDF)`,
          load: () => loadCertificate(each),
        })),
      ]}
    />
  )
}
