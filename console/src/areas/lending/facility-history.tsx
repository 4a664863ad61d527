import { useQuery } from '@apollo/client/react'
import type { TypedDocumentNode } from '@apollo/client'
import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { extraPaymentColumns, holidayColumns } from './change-columns.tsx'
import { FacilityDownload } from './facility-download.tsx'
import {
  drawdownColumns,
  hardshipColumns,
  repaymentColumns,
  type Rights,
} from './history-columns.tsx'
import { obligorColumns } from './obligor-columns.tsx'
import { promiseColumns } from './promise-columns.tsx'
import {
  DrawdownsDocument,
  ExtraPaymentsDocument,
  FacilityHardshipRequestsDocument,
  FacilityObligorsDocument,
  PaymentHolidaysDocument,
  PromisesToPayDocument,
  RepaymentsDocument,
} from './queries.generated.ts'

const tabs = [
  ['repayments', 'Repayments'],
  ['drawdowns', 'Drawdowns'],
  ['extra-payments', 'Extra payments'],
  ['holidays', 'Payment holidays'],
  ['relief', 'Relief requests'],
  ['promises', 'Promises'],
  ['obligors', 'Co-borrowers and guarantors'],
] as const

interface FacilityHistoryProps {
  facilityId: string
  kind: string
  openedOn: string
}

/** What happened to a facility, by kind. */
export function FacilityHistory({ facilityId, kind, openedOn }: FacilityHistoryProps) {
  const { tab = 'repayments' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const shown = tabs.filter(
    ([name]) => kind !== 'REVOLVING' || !['holidays', 'relief'].includes(name),
  )
  return (
    <Section
      title="History"
      actions={<FacilityDownload facilityId={facilityId} openedOn={openedOn} />}
    >
      <Tabs
        value={tab}
        onChange={(value) =>
          void navigate({
            to: '.',
            search: (old) => ({ ...old, tab: value ?? undefined, after: undefined }),
            replace: true,
            resetScroll: false,
          })
        }
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          {shown.map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <HistoryPanels facilityId={facilityId} />
      </Tabs>
    </Section>
  )
}

function HistoryPanels({ facilityId }: { facilityId: string }) {
  const may = useMay()
  const isEmployee = useSession().person.partyId === null
  const rights = { canWrite: may('lending:write'), isEmployee }
  return (
    <>
      <Tabs.Panel value="repayments">
        <History
          {...historyOf('Repayments', 'Nothing was repaid yet.')}
          facilityId={facilityId}
          query={RepaymentsDocument}
          pick={(data) => data.facility?.repayments}
          columns={repaymentColumns(rights)}
          keyOf={({ repaymentId }) => repaymentId}
        />
      </Tabs.Panel>
      <Tabs.Panel value="drawdowns">
        <History
          {...historyOf('Drawdowns', 'Nothing was drawn yet.')}
          facilityId={facilityId}
          query={DrawdownsDocument}
          pick={(data) => data.facility?.drawdowns}
          columns={drawdownColumns(rights)}
          keyOf={({ drawdownId }) => drawdownId}
        />
      </Tabs.Panel>
      <Tabs.Panel value="extra-payments">
        <History
          {...historyOf('Extra payments', 'There are no extra payments.')}
          facilityId={facilityId}
          query={ExtraPaymentsDocument}
          pick={(data) => data.facility?.extraPayments}
          columns={extraPaymentColumns(rights)}
          keyOf={({ extraPaymentId }) => extraPaymentId}
        />
      </Tabs.Panel>
      <Tabs.Panel value="holidays">
        <History
          {...historyOf('Payment holidays', 'There are no payment holidays.')}
          facilityId={facilityId}
          query={PaymentHolidaysDocument}
          pick={(data) => data.facility?.paymentHolidays}
          columns={holidayColumns(rights)}
          keyOf={({ paymentHolidayId }) => paymentHolidayId}
        />
      </Tabs.Panel>
      <Tabs.Panel value="relief">
        <History
          {...historyOf('Relief requests', 'Nobody asked for relief.')}
          facilityId={facilityId}
          query={FacilityHardshipRequestsDocument}
          pick={(data) => data.facility?.hardshipRequests}
          columns={hardshipColumns}
          keyOf={({ hardshipRequestId }) => hardshipRequestId}
        />
      </Tabs.Panel>
      <PromisesAndObligors facilityId={facilityId} rights={rights} />
    </>
  )
}

interface PanelsProps {
  facilityId: string
  rights: Rights
}

const PromisesAndObligors = ({ facilityId, rights }: PanelsProps) => (
  <>
    <Tabs.Panel value="promises">
      <History
        {...historyOf('Promises to pay', 'Nothing was promised.')}
        facilityId={facilityId}
        query={PromisesToPayDocument}
        pick={(data) => data.facility?.promisesToPay}
        columns={promiseColumns(rights)}
        keyOf={({ promiseToPayId }) => promiseToPayId}
      />
    </Tabs.Panel>
    <Tabs.Panel value="obligors">
      <History
        {...historyOf('Co-borrowers and guarantors', 'Only the borrower is liable.')}
        facilityId={facilityId}
        query={FacilityObligorsDocument}
        pick={(data) => data.facility?.obligors}
        columns={obligorColumns(rights)}
        keyOf={({ obligorId }) => obligorId}
      />
    </Tabs.Panel>
  </>
)

const historyOf = (label: string, empty: string) => ({ label, empty })

interface HistoryProps<Data, Row> {
  label: string
  empty: string
  facilityId: string
  query: TypedDocumentNode<Data, { facilityId: string; after?: string | null }>
  pick: (data: Data) => Connection<Row> | null | undefined
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
}

interface Connection<Row> {
  nodes: readonly Row[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null }
}

function History<Data, Row>(props: HistoryProps<Data, Row>) {
  const { label, empty, facilityId, query, pick, columns, keyOf } = props
  const { after } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data, previousData, error } = useQuery(query, {
    variables: { facilityId, after: after ?? null },
  })
  const shown = (data ?? previousData) as Data | undefined
  return (
    <>
      <ConnectionTable
        error={error}
        label={label}
        connection={shown && pick(shown)}
        columns={columns}
        keyOf={keyOf}
        after={after}
        onPage={(cursor) =>
          void navigate({
            to: '.',
            search: (old) => ({ ...old, after: cursor }),
            resetScroll: false,
          })
        }
        empty={empty}
      />
    </>
  )
}
