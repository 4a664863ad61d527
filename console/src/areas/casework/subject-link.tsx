import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Id } from '../../parts/values.tsx'

/** The pages of the records that a case can be about, by the kind of record. */
const pages: Readonly<Record<string, (id: string) => string>> = {
  arrangement: (id) => `/accounts/${id}`,
  party: (id) => `/customers/${id}`,
  loan: (id) => `/loans/${id}`,
  facility: (id) => `/facilities/${id}`,
  'loan-application': (id) => `/applications/${id}`,
  application: (id) => `/applications/${id}`,
  'hardship-request': (id) => `/hardship/${id}`,
  collateral: (id) => `/collateral/${id}`,
  product: (id) => `/products/${id}`,
  case: (id) => `/cases/${id}`,
  document: (id) => `/documents/${id}`,
  agent: (id) => `/agents/${id}`,
  queue: (id) => `/queues/${id}`,
  'routing-profile': (id) => `/routing-profiles/${id}`,
}

/** A record such as `arrangement/arr_1`, as a link to its page if the console has one. */
export function SubjectLink({ subject }: { subject: string }) {
  const [kind = '', id = ''] = subject.split('/')
  const pathOf = pages[kind]
  if (!pathOf) return <Id value={subject} />
  return (
    <AppLink to={pathOf(id)}>
      {readable(kind)} {id}
    </AppLink>
  )
}
