import { useNavigate } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import './channels.css'
import { ProfileFields } from './profile-fields.tsx'
import { fieldOfPath } from './hours.ts'
import { emptyProfile, errorsOf, inputOf, keptOf, valuesFrom } from './profile-input.ts'
import {
  CreateRoutingProfileDocument,
  UpdateRoutingProfileDocument,
  type ProfilePartsFragment,
} from './queries.generated.ts'

const codes = { ROUTING_PROFILE_NAME_EXISTS: 'name', FALLBACK_CYCLE: 'fallbackProfileId' }

/** Creates a profile, active at once. */
export function CreateProfileForm() {
  const navigate = useNavigate()
  return (
    <CommandForm
      id="profile:new"
      mutation={CreateRoutingProfileDocument}
      initialValues={emptyProfile}
      validate={errorsOf}
      variables={(values) => ({ input: inputOf(values) })}
      fieldOf={fieldOfPath}
      fieldOfCode={codes}
      submitLabel="Create the profile"
      onCancel={() => void navigate({ to: '/contact-center', search: { tab: 'profiles' } })}
      onDone={({ createRoutingProfile: { routingProfileId } }) =>
        void navigate({
          to: '/routing-profiles/$routingProfileId',
          params: { routingProfileId },
        })
      }
    >
      {(form) => <ProfileFields form={form} />}
    </CommandForm>
  )
}

/** Replaces the configuration of a profile; relationship managers stay as they are. */
export function UpdateProfileForm({
  profile,
  onClose,
}: {
  profile: ProfilePartsFragment
  onClose: () => void
}) {
  const { routingProfileId } = profile
  return (
    <CommandForm
      id={`profile:${routingProfileId}`}
      mutation={UpdateRoutingProfileDocument}
      initialValues={valuesFrom(profile)}
      validate={errorsOf}
      variables={(values) => ({
        input: { ...keptOf(profile), ...inputOf(values), routingProfileId },
      })}
      fieldOf={fieldOfPath}
      fieldOfCode={codes}
      submitLabel="Save"
      onCancel={onClose}
      onDone={onClose}
    >
      {(form) => <ProfileFields form={form} ownId={routingProfileId} />}
    </CommandForm>
  )
}
