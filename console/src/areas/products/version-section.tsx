import { Alert, Group, Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CommandButton } from '../../parts/command-button.tsx'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { Facts, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  ActivateProductDocument,
  ResumeProductDocument,
  RetireProductDocument,
  SuspendProductDocument,
  WithdrawProductDocument,
  type VersionPartsFragment,
} from './queries.generated.ts'

/** The lifecycle of the version that is shown, and the choice of another one. */
export function VersionSection({
  version,
  versions,
}: {
  version: VersionPartsFragment
  versions: readonly VersionPartsFragment[]
}) {
  const navigate = useNavigate({ from: '/products/$productId' })
  return (
    <Section
      title={`Version ${version.version}`}
      description={version.description}
      actions={
        <Select
          aria-label="Version"
          size="xs"
          w={200}
          allowDeselect={false}
          data={versions.map((each) => ({
            value: each.version,
            label: `${each.version} · ${readable(each.status)}`,
          }))}
          value={version.version}
          onChange={(value) =>
            void navigate({
              search: (old) => ({ ...old, version: value ?? undefined }),
              resetScroll: false,
            })
          }
        />
      }
    >
      {version.missing.length > 0 && (
        <Alert color="yellow" mb="md" title="The version is not complete">
          Nothing can be opened under it, because this is missing:{' '}
          {version.missing.map((each) => readable(each).toLowerCase()).join(', ')}. Create a version
          that has it.
        </Alert>
      )}
      <Facts
        facts={[
          ['Status', <State key="status" value={version.status} />],
          ['Created', <Time key="created" value={version.createdAt} />],
          ['Changed', <Time key="changed" value={version.updatedAt} />],
        ]}
      />
      <Steps version={version} />
    </Section>
  )
}

function Steps({ version: { productId, version, status } }: { version: VersionPartsFragment }) {
  const may = useMay()
  if (!may('products:write')) return null
  const variables = { productId, version }
  const id = (step: string) => `${step}:${productId}:${version}`
  return (
    <Group mt="md">
      {status === 'DRAFT' && (
        <>
          <CommandButton
            id={id('activate')}
            mutation={ActivateProductDocument}
            variables={variables}
          >
            Put on sale
          </CommandButton>
          <CommandButton
            id={id('withdraw')}
            mutation={WithdrawProductDocument}
            variables={variables}
            variant="default"
          >
            Discard the draft
          </CommandButton>
        </>
      )}
      {status === 'SUSPENDED' && (
        <CommandButton id={id('resume')} mutation={ResumeProductDocument} variables={variables}>
          Resume the sale
        </CommandButton>
      )}
      {status === 'ACTIVE' && (
        <CommandButton
          id={id('suspend')}
          mutation={SuspendProductDocument}
          variables={variables}
          variant="default"
        >
          Suspend the sale
        </CommandButton>
      )}
      {['ACTIVE', 'SUSPENDED', 'SUPERSEDED'].includes(status) && (
        <CommandButton
          id={id('retire')}
          mutation={RetireProductDocument}
          variables={variables}
          color="red.9"
        >
          Retire for good
        </CommandButton>
      )}
    </Group>
  )
}
