import { Alert, Code, SimpleGrid } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable } from '../../parts/table.tsx'
import { Facts, State, Time } from '../../parts/values.tsx'
import { NotificationTemplateDocument } from './queries.generated.ts'
import { EditTemplate } from './template-form-pages.tsx'
import { TemplatePreview } from './template-preview.tsx'
import { RejectDialog, TemplateSteps } from './template-steps.tsx'
import { contentOf, type Template } from './template-values.ts'

/** A version of a template: its wording, its preview and its review. */
export function TemplatePage() {
  const { templateId } = useParams({ from: '/notification-templates/$templateId' })
  useChanges([`template/${templateId}`])
  return (
    <Query query={NotificationTemplateDocument} variables={{ templateId }}>
      {({ notificationTemplate }) =>
        notificationTemplate ? <Details template={notificationTemplate} /> : <NotFound />
      }
    </Query>
  )
}

function Details({ template }: { template: Template }) {
  const { templateId, templateCode, channel, language, version, status, approval } = template
  const { dialog } = useSearch({ from: '/notification-templates/$templateId' })
  const navigate = useNavigate({ from: '/notification-templates/$templateId' })
  const close = () => void navigate({ search: {}, resetScroll: false })
  const isEdited = dialog === 'edit' && status === 'DRAFT'
  return (
    <Page
      subject={`template/${templateId}`}
      title={templateCode}
      lead={
        <>
          <State value={status} /> {readable(channel)}, {language}, version {version}
        </>
      }
      actions={!isEdited && <TemplateSteps template={template} />}
    >
      {status === 'IN_REVIEW' && (
        <Alert color="gray">
          Somebody other than {approval.authoredBy}, the author, approves this template.
        </Alert>
      )}
      {isEdited ? (
        <EditTemplate template={template} onClose={close} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Wording template={template} />
          <TemplatePreview channel={channel} content={contentOf(template)} />
        </SimpleGrid>
      )}
      <Review template={template} />
      {dialog === 'reject' && <RejectDialog templateId={templateId} onClose={close} />}
    </Page>
  )
}

const Wording = ({ template: { subject, body, variables } }: { template: Template }) => (
  <Section title="Wording">
    {subject && <Facts facts={[['Subject', subject]]} />}
    <Code block style={{ whiteSpace: 'pre-wrap' }} my="md">
      {body}
    </Code>
    <ConnectionTable
      label="Variables"
      connection={{ nodes: variables, pageInfo: { hasNextPage: false } }}
      columns={[
        { title: 'Variable', cell: ({ name }) => name },
        { title: 'Type', cell: ({ type }) => readable(type) },
        { title: 'Required', cell: ({ required }) => (required ? 'Yes' : 'No') },
        { title: 'Personal data', cell: ({ pii }) => (pii ? 'Yes' : 'No') },
      ]}
      keyOf={({ name }) => name}
      empty="The template has no variables. Add them while it is a draft."
    />
  </Section>
)

const Review = ({ template: { approval, templateCode, category } }: { template: Template }) => (
  <Section
    title="Review"
    actions={
      <AppLink to="/notification-templates" search={{ code: templateCode }}>
        All versions, channels and languages
      </AppLink>
    }
  >
    <Facts
      facts={[
        ['Category', readable(category)],
        ['Author', approval.authoredBy],
        ['Submitted', <Time key="submitted" value={approval.submittedAt} />],
        ['Approved by', approval.approvedBy],
        ['Approved', <Time key="approved" value={approval.approvedAt} />],
        ['Last rejected because', approval.rejectionReason],
      ]}
    />
  </Section>
)
