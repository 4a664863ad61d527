import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const JobStatus = enumeration('JobStatus', 'The state of a recurring job.', {
  running: 'A process is running the job.',
  idle: 'The latest run succeeded.',
  failed: 'The latest run failed. The job will be retried.',
  stale: 'No running process has reported the job for a minute.',
})
export type JobStatus = TypeOf<typeof JobStatus>

export const NightlyStatus = enumeration(
  'NightlyStatus',
  'The state of the nightly run or of one of its steps.',
  {
    pending:
      'The step has not run since the business date ended, or has left out records that it retries.',
    running: 'A process is running the step.',
    completed: 'The step found no more work for the business date.',
    failed: 'The latest run of the step failed. The step is retried.',
    stale: 'No running process has reported the step for a minute.',
  },
)
export type NightlyStatus = TypeOf<typeof NightlyStatus>

export const NightlyPhase = enumeration(
  'NightlyPhase',
  'A phase of the nightly run: steps that do related work.',
  {
    validity: 'Agreements, offers, checks and limits whose validity begins or ends.',
    payments: 'Payments and drawdowns that fall due.',
    interest: 'Interest of accounts and overdrafts.',
    loans: 'Interest, installments and arrears of loans.',
    collections: 'Letters and cases for arrears of loans and overdrafts.',
    fees: 'Fees for periods that have ended.',
    provisions: 'Allowances for expected credit losses, once a month.',
  },
)
export type NightlyPhase = TypeOf<typeof NightlyPhase>

export const ClientAuthentication = enumeration(
  'OAuthClientAuthentication',
  'How an OAuth client authenticates to the authorization server.',
  {
    secret: 'With a secret that the bank generates.',
    'private-key':
      'With assertions that it signs with its private key (`private_key_jwt`, RFC 7523).',
    certificate:
      'With a registered TLS certificate (mutual TLS, RFC 8705, section 2.2). Its tokens are ' +
      'bound to the certificate. Only if the server has the setting `CLIENT_CERTIFICATE_HEADER`.',
    none: 'Not at all: a public client, such as an app in a browser. It must have redirect URIs.',
  },
)
export type ClientAuthentication = TypeOf<typeof ClientAuthentication>

export const ClockAdvanceStatus = enumeration(
  'ClockAdvanceStatus',
  'The status of a clock advance: whether the work that became due has been done.',
  {
    running: 'Work that became due is still in progress.',
    completed: 'All work that became due has been done.',
    failed:
      'All work that became due has been done, except for the work in `failures`. The failed ' +
      'work is retried, and the clock advance completes when it succeeds.',
  },
)
export type ClockAdvanceStatus = TypeOf<typeof ClockAdvanceStatus>
