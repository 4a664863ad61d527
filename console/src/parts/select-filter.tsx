import { Select } from '@mantine/core'

interface SelectFilterProps {
  label: string
  /** What is shown while nothing is chosen, such as `All statuses`. */
  all: string
  data: readonly { value: string; label: string }[]
  value: string | undefined
  /** Called with an empty text if the filter is cleared. */
  onChange: (value: string) => void
  /** Whether only screen readers read the label, because the filter is beside the title of its list. */
  isLabelHidden?: boolean
}

/** A filter of a list by one of several values. */
export const SelectFilter = ({
  label,
  all,
  data,
  value,
  onChange,
  isLabelHidden,
}: SelectFilterProps) => (
  <Select
    {...(isLabelHidden ? { 'aria-label': label } : { label })}
    placeholder={all}
    clearable
    clearButtonProps={{ 'aria-label': all }}
    data={data}
    value={value ?? null}
    onChange={(chosen) => onChange(chosen ?? '')}
  />
)
