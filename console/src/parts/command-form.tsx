import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import { Button, Group, Stack } from '@mantine/core'
import { useForm, type FormErrors, type UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useCommand } from '../graph/command.ts'
import { problemOf, type Fault } from '../graph/problem.ts'
import { ProblemAlert } from './problem-alert.tsx'

interface CommandFormProps<Data, Variables extends OperationVariables, Values extends object> {
  /** Distinguishes the form, such as `transfer:arr_1`; its draft survives a reload under this name. */
  id: string
  mutation: TypedDocumentNode<Data, Variables>
  initialValues: Values
  /** Returns the errors that can be found without the bank, by field. */
  validate?: (values: Values) => FormErrors
  variables: (values: Values) => Variables
  /**
   * The field of each pointer in the bank's answer, such as `/input/amount` → `amount`. A field of a
   * list is a path, such as `fees.0.code`.
   */
  fieldOf?: (pointer: string) => string | undefined
  /** The field of each problem that is about one value but names none, such as `INVALID_IBAN`. */
  fieldOfCode?: Readonly<Record<string, string>>
  submitLabel: string
  onDone: (data: Data) => void
  onCancel?: () => void
  isDangerous?: boolean
  /** For a person who may see what the form calculates, and not send it. */
  isSubmitHidden?: boolean
  children: (form: UseFormReturnType<Values>) => ReactNode
}

/**
 * A form that sends a mutation once. What a person typed and the idempotency key survive a reload;
 * what the bank says about a value is shown at its field.
 */
export function CommandForm<
  Data,
  Variables extends OperationVariables,
  Values extends object = Record<string, unknown>,
>(props: CommandFormProps<Data, Variables, Values>) {
  const { id, mutation, validate, variables, fieldOf = lastName, onDone, onCancel } = props
  const draftKey = `bankgraph.draft.${id}`
  const form = useForm<Values>({
    initialValues: { ...props.initialValues, ...draftOf<Values>(draftKey) },
    onValuesChange: (values) => sessionStorage.setItem(draftKey, JSON.stringify(values)),
    validate: validate as never,
  })
  const command = useCommand(mutation, id)
  const isField = (name: string | undefined): name is string =>
    name !== undefined && name.split('.')[0]! in form.values
  const fieldOfFault = ({ pointer = '' }: Fault) => fieldOf(pointer)

  const showFaults = (error: unknown) => {
    const { code, message, faults } = problemOf(error)
    for (const fault of faults) {
      const field = fieldOfFault(fault)
      if (isField(field)) form.setFieldError(field, fault.detail)
    }
    const field = code ? props.fieldOfCode?.[code] : undefined
    if (isField(field)) form.setFieldError(field, message)
  }
  const send = async (values: Values) => {
    const result = await command.run(variables(values))
    if ('error' in result) return showFaults(result.error)
    sessionStorage.removeItem(draftKey)
    onDone(result.data)
  }
  const submit = form.onSubmit(send, (errors) => focusFirst(form, errors))
  const cancel = () => {
    sessionStorage.removeItem(draftKey)
    onCancel?.()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {props.children(form)}
        {Boolean(command.error) && (
          <ProblemAlert
            error={command.error}
            isShownElsewhere={(fault) => isField(fieldOfFault(fault))}
          />
        )}
        <Group justify="flex-end">
          {onCancel && (
            <Button variant="default" onClick={cancel} disabled={command.isRunning}>
              Cancel
            </Button>
          )}
          {!props.isSubmitHidden && (
            <Button
              type="submit"
              loading={command.isRunning}
              color={props.isDangerous ? 'red.9' : undefined}
            >
              {props.submitLabel}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** People continue at the first field that is wrong. */
function focusFirst<Values>({ getInputNode }: UseFormReturnType<Values>, errors: FormErrors) {
  const fields = Object.keys(errors).map((name) => getInputNode(name))
  fields.find(Boolean)?.focus()
}

/** `/input/amount/amount` → `amount`. */
const lastName = (pointer: string) =>
  pointer.split('/').findLast((part) => Number.isNaN(Number(part)))

function draftOf<Values>(key: string): Partial<Values> {
  const text = sessionStorage.getItem(key)
  return text ? (JSON.parse(text) as Partial<Values>) : {}
}
