import { Page, Section } from '../../parts/page.tsx'
import { CreateProfileForm } from './profile-form.tsx'

/** Creates a routing profile. */
export function NewProfilePage() {
  return (
    <Page title="New routing profile" lead="Which work its agents get, and up to which limits.">
      <Section title="Profile">
        <CreateProfileForm />
      </Section>
    </Page>
  )
}
