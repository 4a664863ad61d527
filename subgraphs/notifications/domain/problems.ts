import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only notifications raise. */
const problems = declareProblems({
  NOTIFICATION_NOT_FOUND: problemKind(404, 'The notification does not exist.'),
  TEMPLATE_NOT_FOUND: problemKind(404, 'The notification template does not exist.'),
  CHANNEL_NOT_CONFIGURED: problemKind(422, 'No delivery provider is configured for the channel.'),
  TEMPLATE_ALREADY_EXISTS: problemKind(
    409,
    'The template ID is already in use by a template with different content.',
  ),
  TEMPLATE_CHANNEL_MISMATCH: problemKind(422, 'The template is for another channel.'),
  TEMPLATE_INVALID: problemKind(422, 'The text is not a valid Liquid template.'),
  TEMPLATE_NOT_ACTIVE: problemKind(422, 'The template is not active.'),
  UNDECLARED_VARIABLE: problemKind(422, 'The template uses a variable that it does not declare.'),
  BODY_TOO_LONG: problemKind(422, 'The body exceeds the maximum length for the channel.'),
  INVALID_LANGUAGE: problemKind(422, 'The language is not a valid BCP 47 tag.'),
  INVALID_PERSONALIZATION: problemKind(
    422,
    'A personalization value does not match the template variable.',
  ),
  MISSING_PERSONALIZATION: problemKind(
    422,
    'The personalization lacks values that the template requires.',
  ),
  SEND_AT_IN_PAST: problemKind(422, 'The send time is in the past.'),
  SEND_AT_TOO_FAR: problemKind(422, 'The send time is more than 90 days ahead.'),
  SUBJECT_REQUIRED_FOR_EMAIL: problemKind(422, 'An email template with a body requires a subject.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}
