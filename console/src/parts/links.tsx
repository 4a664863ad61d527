import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Attributes<Props> = Props & Omit<ComponentProps<'a'>, keyof Props | 'style'>

/** Links within the console, whose paths and parameters the router checks. */
export const AppLink = createLink((props: Attributes<AnchorProps>) => (
  // A link is as large as the text around it.
  <Anchor fz="inherit" lh="inherit" {...props} />
))
export const LinkButton = createLink((props: Attributes<ButtonProps>) => (
  <Button component="a" {...props} />
))

/** A link to the page of a customer, where a tab can be open. */
export const CustomerLink = ({
  party: { partyId, displayName },
  tab,
}: {
  party: { partyId: string; displayName: string }
  tab?: string
}) => (
  <AppLink to="/customers/$partyId" params={{ partyId }} search={tab ? { tab } : {}}>
    {displayName}
  </AppLink>
)
