import { useApolloClient } from '@apollo/client/react'
import { useBusinessDate } from '../../app/environment.ts'
import { dayBefore } from '../../parts/days.ts'
import { certificateYears } from '../../parts/certificate-years.ts'
import { decoded, FileDownload } from '../../parts/file-download.tsx'
import {
  FacilityCertificateDocument,
  FacilityStatementDocument,
  type FacilityStatementQueryVariables,
} from './queries.generated.ts'

const formats = [
  { format: 'PDF', label: 'Statement of the last year (PDF)' },
  { format: 'CSV', label: 'Spreadsheet (CSV)' },
] as const
const days = 365

interface Props {
  facilityId: string
  openedOn: string
}

/** Saves the statement of the last year, or the certificate of a calendar year, as a file. */
export function FacilityDownload({ facilityId, openedOn }: Props) {
  const client = useApolloClient()
  const to = useBusinessDate()
  async function loadStatement(format: FacilityStatementQueryVariables['format']) {
    const { data } = await client.query({
      query: FacilityStatementDocument,
      variables: { facilityId, from: dayBefore(to!, days), to: to!, format },
      fetchPolicy: 'network-only',
    })
    return decoded(data?.facility?.statement?.file)
  }
  async function loadCertificate(year: number) {
    const { data } = await client.query({
      query: FacilityCertificateDocument,
      variables: { facilityId, year },
      fetchPolicy: 'network-only',
    })
    return decoded(data?.facility?.annualCertificate?.file)
  }
  return (
    <FileDownload
      label="Download statement"
      isDisabled={!to}
      choices={[
        ...formats.map(({ format, label }) => ({ label, load: () => loadStatement(format) })),
        ...certificateYears(openedOn, to ?? '').map((each) => ({
          label: `Certificate of interest for ${each} (PDF)`,
          load: () => loadCertificate(each),
        })),
      ]}
    />
  )
}
