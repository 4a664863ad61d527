import { Checkbox, Stack, type CheckboxGroupProps } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { rolePurposes } from './roles.ts'

/** The roles of an employee, each with what it is for. */
export const RolesField = (props: Omit<CheckboxGroupProps, 'children'>) => (
  <Checkbox.Group label="Roles" {...props}>
    <Stack gap="xs" mt="xs" mb="xs">
      {rolePurposes.map(([role, purpose]) => (
        <Checkbox key={role} value={role} label={readable(role)} description={purpose} />
      ))}
    </Stack>
  </Checkbox.Group>
)
