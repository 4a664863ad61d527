import '../subgraphs/index.ts'
import '../oauth/personal-data.ts'
import {
  columnOf,
  dataCategories,
  personalDataRegister,
  registeredRows,
  type RegisteredRows,
} from '../kernel/domain/personal-data.ts'
import { retentionRules } from '../kernel/domain/retention.ts'

export const personalDataPath = 'docs/personal-data.md'

const intro = `# Personal data

This page lists which personal data the bank stores, where, for which purpose and for how long: the record of processing activities of GDPR article 30. \`npm run draw\` generates it from the \`personal-data.ts\` of each area.
A test compares these declarations with the columns of the database, so a new table or text column cannot be forgotten. How data is exported, erased and restricted is in the README of the area [privacy](../subgraphs/privacy/README.md).

IDs, states, amounts, dates and codes stay after an erasure: they lead to no person once the names are erased. In the column "belongs to" is the column, or the SQL condition, by which a record belongs to a party; \`$1\` is the ID of the party. After "employee:" is the same for employees; \`$1\` is the username.`

const plainIntro = `## Columns that are not encrypted

With \`ENCRYPT_PERSONAL_DATA=on\`, all personal columns on this page are encrypted, except those below ([decision](decisions/0125-personal-columns-are-encrypted.md)). Of JSON columns with declared members, only the texts of these members are encrypted. The contents of assistants' messages and calls of tools are always encrypted.`

/** Returns the page with the register of personal data, generated from the declarations. */
export function personalDataPage(): string {
  const register = personalDataRegister()
  const rules = Object.entries(retentionRules).map(
    ([name, { reason, isErasedOnRequest }]) =>
      `| \`${name}\` | ${reason} | ${isErasedOnRequest ? 'yes' : 'no'} |`,
  )
  const categories = Object.entries(dataCategories).map(
    ([name, meaning]) => `| ${name} | ${meaning} |`,
  )
  const areas = register.flatMap((each) => {
    const rows = registeredRows([each]).map(lineOf)
    if (rows.length === 0) return []
    const head = '| table | belongs to | personal data | rule | erasure |\n|-|-|-|-|-|'
    return [`## ${each.area}\n\nPurpose: ${each.purpose}.\n\n${head}\n${rows.join('\n')}`]
  })
  const plainColumns = register.flatMap((each) =>
    registeredRows([each]).flatMap(({ table, personal }) =>
      Object.entries(personal).flatMap(([name, declared]) => {
        const { plain } = columnOf(declared)
        return plain === undefined ? [] : [`| \`${table}.${name}\` | ${plain} |`]
      }),
    ),
  )
  const plainTable = [...new Set(plainColumns)].join('\n')
  return [
    intro,
    `## Categories\n\n| category | meaning |\n|-|-|\n${categories.join('\n')}`,
    `## Retention rules\n\n| rule | reason | erased on request |\n|-|-|-|\n${rules.join('\n')}`,
    `${plainIntro}\n\n| column | why it is plain |\n|-|-|\n${plainTable}`,
    ...areas,
  ].join('\n\n')
}

function lineOf(rows: RegisteredRows): string {
  const { table, party, employee, rule, personal, isDeleted, erasable, internal, omitted } = rows
  const columns = Object.entries(personal).map(([name, declared]) => {
    const { category, rule: own, plain, isInVault } = columnOf(declared)
    const isPlain = plain !== undefined && !isInVault
    const words = [category, ...(own ? [`rule \`${own}\``] : []), ...(isPlain ? ['plain'] : [])]
    return `${name} (${words.join(', ')})`
  })
  const isPersonal = columns.length > 0
  const erasure = [
    !isPersonal
      ? 'nothing to erase'
      : party === null && employee === undefined
        ? 'by the area'
        : isDeleted
          ? 'rows are deleted'
          : 'values are replaced',
    ...(erasable ? [`except: ${erasable.reason}`] : []),
    ...(internal ? ['some rows are only in the export of the bank'] : []),
    ...(omitted ? [`not exported: ${omitted}`] : []),
  ]
  const quoted = (owner: string) => `\`${owner.replaceAll('|', '\\|')}\``
  const owners = [
    ...(party === null ? [] : [quoted(party)]),
    ...(employee === undefined ? [] : [`employee: ${quoted(employee)}`]),
  ]
  const owner = owners.length === 0 ? 'nobody outside the bank' : owners.join('; ')
  const data = isPersonal ? columns.join(', ') : 'IDs only'
  return `| \`${table}\` | ${owner} | ${data} | \`${rule}\` | ${erasure.join('; ')} |`
}
