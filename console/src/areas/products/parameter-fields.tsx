import { Button, Fieldset, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { readable } from '../../parts/format.ts'
import type { ProductParameterType } from './queries.generated.ts'
import type { VersionValues } from './version-input.ts'

const types: readonly ProductParameterType[] = ['AMOUNT', 'DECIMAL', 'INTEGER', 'BOOLEAN', 'TEXT']

const emptyParameter: VersionValues['parameters'][number] = {
  name: '',
  type: 'AMOUNT',
  minimum: '',
  maximum: '',
  default: '',
}

/** The parameters that are chosen for each account or loan of the product, with their ranges. */
export function ParameterFields({ form }: { form: UseFormReturnType<VersionValues> }) {
  const field = (index: number, name: string) => form.getInputProps(`parameters.${index}.${name}`)
  return (
    <Fieldset legend="Parameters">
      <Stack>
        {form.values.parameters.map((_, index) => (
          <div className="list-item" key={index}>
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              <TextInput label="Name of the parameter" required {...field(index, 'name')} />
              <Select
                label="Type"
                allowDeselect={false}
                data={types.map((value) => ({ value, label: readable(value) }))}
                {...field(index, 'type')}
              />
              <TextInput label="By default" {...field(index, 'default')} />
              <TextInput label="Minimum" inputMode="decimal" {...field(index, 'minimum')} />
              <TextInput label="Maximum" inputMode="decimal" {...field(index, 'maximum')} />
            </SimpleGrid>
            <Group justify="flex-end" mt="xs">
              <Button
                size="xs"
                variant="subtle"
                color="red"
                onClick={() => form.removeListItem('parameters', index)}
              >
                Remove the parameter
              </Button>
            </Group>
          </div>
        ))}
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => form.insertListItem('parameters', emptyParameter)}
          >
            Add a parameter
          </Button>
        </div>
      </Stack>
    </Fieldset>
  )
}
