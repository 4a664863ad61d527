import { Stack } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import type { Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { RetryCollectionsStepDocument, type CollectionsEpisodeQuery } from './queries.generated.ts'

type Step = NonNullable<NonNullable<CollectionsEpisodeQuery['collectionsEpisode']>['steps']>[number]

/** The steps of an episode; `canWrite` adds the repetition of those that failed. */
export const stepColumns = (canWrite: boolean): readonly Column<Step>[] => [
  { title: 'Decided', cell: ({ decidedOn }) => <Time value={decidedOn} /> },
  { title: 'Step', cell: ({ code }) => code },
  { title: 'Action', cell: ({ action }) => readable(action) },
  { title: 'Days past due', isNumeric: true, cell: ({ daysPastDue }) => daysPastDue },
  { title: 'Arrears', isNumeric: true, cell: ({ arrears }) => <Money value={arrears} /> },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  { title: 'Result', cell: (step) => <Result step={step} /> },
  {
    title: 'Actions',
    isTitleHidden: true,
    cell: ({ collectionsStepId, state, documentState }) =>
      canWrite &&
      (state === 'FAILED' || documentState === 'REFUSED') && (
        <NotifyingButton
          size="compact-sm"
          variant="default"
          id={`retry:${collectionsStepId}`}
          mutation={RetryCollectionsStepDocument}
          variables={{ collectionsStepId }}
          done="The step is repeated"
        >
          Repeat
        </NotifyingButton>
      ),
  },
]

/** What a step led to: the message, the stored letter or the case, or why it failed. */
const Result = ({
  step: { notification, document, case: opened, failureCode },
}: {
  step: Step
}) => (
  <Stack gap="xs">
    {failureCode && <span>{readable(failureCode)}</span>}
    {notification && (
      <AppLink
        to="/notifications/$notificationId"
        params={{ notificationId: notification.notificationId }}
      >
        Message
      </AppLink>
    )}
    {document && (
      <AppLink to="/documents/$documentId" params={{ documentId: document.documentId }}>
        Letter
      </AppLink>
    )}
    {opened && (
      <AppLink to="/cases/$caseId" params={{ caseId: opened.caseId }}>
        Case
      </AppLink>
    )}
  </Stack>
)
