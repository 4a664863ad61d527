import { TextInput } from '@mantine/core'

interface TextFilterProps {
  label: string
  placeholder?: string
  value: string | undefined
  onChange: (value: string) => void
}

/** A filter of a list by an exact text. It applies when the person leaves the field or presses Enter. */
export const TextFilter = ({ label, placeholder, value, onChange }: TextFilterProps) => (
  <TextInput
    label={label}
    placeholder={placeholder}
    key={value}
    defaultValue={value ?? ''}
    onBlur={({ currentTarget }) => onChange(currentTarget.value.trim())}
    onKeyDown={({ key, currentTarget }) => key === 'Enter' && onChange(currentTarget.value.trim())}
  />
)
