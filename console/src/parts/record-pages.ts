/** A kind of record that has a page. */
interface RecordPage {
  /** The kind in the subjects of events, such as `party` in `party/pty_1`. */
  kind: string
  /** The prefix of IDs that the bank generated; null if it generates none. */
  prefix: string | null
  /** What people call a record of this kind. */
  name: string
  path: (id: string) => string
}

const page = (kind: string, prefix: string | null, name: string, folder: string): RecordPage => ({
  kind,
  prefix,
  name,
  path: (id) => `/${folder}/${id}`,
})

/** The pages of the records, for links and for the search by ID. */
export const recordPages: readonly RecordPage[] = [
  page('party', 'pty_', 'Customer', 'customers'),
  page('arrangement', 'arr_', 'Account', 'accounts'),
  page('loan', 'loan_', 'Loan', 'loans'),
  page('facility', 'fac_', 'Loan or credit line', 'facilities'),
  page('loan-application', 'app_', 'Loan application', 'applications'),
  page('hardship-request', 'hrd_', 'Hardship request', 'hardship'),
  page('collections-episode', 'cep_', 'Pursued arrears', 'collections'),
  page('collections-strategy', 'cst_', 'Collections strategy', 'collections-strategies'),
  page('collateral', 'col_', 'Collateral', 'collateral'),
  page('case', 'case_', 'Case', 'cases'),
  page('accounting-period', null, 'Month', 'month-ends'),
  page('journal-entry', 'jnl_', 'Journal entry', 'journal-entries'),
  page('document', 'doc_', 'Document', 'documents'),
  page('notification', 'ntf_', 'Message', 'notifications'),
  page('template', 'tpl_', 'Notification template', 'notification-templates'),
  page('product', 'prd_', 'Product', 'products'),
  page('campaign', 'cmp_', 'Campaign', 'campaigns'),
  page('interaction', 'int_', 'Contact or task', 'interactions'),
  page('queue', 'que_', 'Queue', 'queues'),
  page('agent', 'agt_', 'Agent', 'agents'),
  page('routing-profile', 'rtp_', 'Routing profile', 'routing-profiles'),
  page('assist-session', 'ses_', 'Conversation with an assistant', 'assistant'),
  page('employee', 'emp_', 'Employee', 'employees'),
  page('endpoint', 'whk_', 'Webhook endpoint', 'webhooks'),
]
