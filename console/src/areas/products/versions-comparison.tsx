/* oxlint-disable jsx-a11y/prefer-tag-over-role -- Mantine's container is no section. */
import { Badge, MultiSelect, Table, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Section } from '../../parts/page.tsx'
import { Missing, State } from '../../parts/values.tsx'
import type { VersionPartsFragment } from './queries.generated.ts'
import { compareVersions, type ComparedTerm } from './version-texts.ts'

/** The terms of versions side by side. What differs is marked. */
export function VersionsComparison({
  versions,
  shown,
}: {
  versions: readonly VersionPartsFragment[]
  shown: VersionPartsFragment
}) {
  const { compared } = useSearch({ from: '/products/$productId' })
  const navigate = useNavigate({ from: '/products/$productId' })
  const others = versions.filter(({ version }) => version !== shown.version)
  const chosen = compared === undefined ? others.slice(0, 1).map(labelOf) : compared.split(' ')
  const columns = [shown, ...others.filter(({ version }) => chosen.includes(version))]
  const rows = compareVersions(columns)
  const differences = rows.filter(({ isDifferent }) => isDifferent).length
  return (
    <Section
      title="Terms"
      description={
        columns.length > 1 &&
        (differences === 0
          ? 'The versions have the same terms.'
          : `The versions differ in ${differences} of ${rows.length} terms.`)
      }
      actions={
        others.length > 0 && (
          <MultiSelect
            aria-label="Compare with"
            placeholder="Compare with…"
            size="xs"
            w={260}
            maxValues={4}
            data={others.map(labelOf)}
            value={chosen.filter((version) => others.some((each) => each.version === version))}
            onChange={(values) =>
              void navigate({
                search: (old) => ({ ...old, compared: values.join(' ') || 'none' }),
                resetScroll: false,
              })
            }
          />
        )
      }
    >
      <TermTable columns={columns} rows={rows} />
    </Section>
  )
}

const labelOf = ({ version }: VersionPartsFragment) => version

const TermTable = ({
  columns,
  rows,
}: {
  columns: readonly VersionPartsFragment[]
  rows: readonly ComparedTerm[]
}) => (
  <Table.ScrollContainer
    minWidth={200 + columns.length * 180}
    type="native"
    tabIndex={0}
    role="region"
    aria-label="Terms of the versions"
  >
    <Table aria-label="Terms">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Term</Table.Th>
          {columns.map(({ version, status }) => (
            <Table.Th key={version}>
              {version} <State value={status} />
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, texts, isDifferent }) => (
          <Table.Tr key={name} className={isDifferent ? 'different' : ''}>
            <Table.Th scope="row">
              {name} {isDifferent && <Badge size="sm">differs</Badge>}
            </Table.Th>
            {texts.map((text, index) => (
              <Table.Td key={columns[index]!.version}>
                {text ? <Text size="sm">{text}</Text> : <Missing />}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
