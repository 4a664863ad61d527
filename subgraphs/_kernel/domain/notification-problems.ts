import { kind } from './problem-kind.ts'

/** Problem codes of notifications and their templates; part of the catalog. */
export const notificationProblems = {
  TEMPLATE_ALREADY_EXISTS: kind(
    409,
    'The template ID belongs to a template with different content.',
  ),
  TEMPLATE_CHANNEL_MISMATCH: kind(422, 'The template is for another channel.'),
  TEMPLATE_INVALID: kind(422, 'The text is not a valid Liquid template.'),
  TEMPLATE_NOT_ACTIVE: kind(422, 'The template is not active.'),
  UNDECLARED_VARIABLE: kind(422, 'The template uses a variable that it does not declare.'),
  BODY_TOO_LONG: kind(422, 'The body exceeds the maximum length for the channel.'),
  INVALID_LANGUAGE: kind(422, 'The language is not a valid BCP 47 tag.'),
  INVALID_PERSONALIZATION: kind(
    422,
    'A personalization value does not match the template variable.',
  ),
  MISSING_PERSONALIZATION: kind(
    422,
    'The personalization lacks values that the template requires.',
  ),
  SEND_AT_IN_PAST: kind(422, 'The send time is in the past.'),
  SEND_AT_TOO_FAR: kind(422, 'The send time is more than 90 days ahead.'),
  SUBJECT_REQUIRED_FOR_EMAIL: kind(422, 'An email template with a body requires a subject.'),
} as const
