import { AppLink } from './links.tsx'
import { recordPages } from './record-pages.ts'
import { Id } from './values.tsx'

/** A record such as `arrangement/arr_1`, as a link to its page if the console has one. */
export function SubjectLink({ subject }: { subject: string }) {
  const [kind, id = ''] = subject.split('/')
  const page = recordPages.find((each) => each.kind === kind)
  if (!page) return <Id value={subject} />
  return (
    <AppLink to={page.path(id)}>
      {page.name} {id}
    </AppLink>
  )
}
