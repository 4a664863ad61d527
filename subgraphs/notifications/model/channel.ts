import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

/** The channels are those of the specification. */
export const Channel = enumeration(
  'NotificationChannel',
  'The channel over which a notification is sent.',
  {
    email: 'Email. Bodies are HTML.',
    sms: 'Text message. Bodies are plain text of at most 1,530 characters.',
    push: 'Push notification on a mobile device. Bodies are plain text of at most 240 characters.',
    'secure-message': "A message in the bank's own secure inbox. Bodies are plain text.",
  },
)
export type Channel = TypeOf<typeof Channel>

export const Category = enumeration(
  'NotificationCategory',
  'The purpose of a notification, which determines the rules for sending it.',
  {
    service: 'Information about a product or service the party uses.',
    marketing: 'Advertising. Not sent to parties who opted out, or during their quiet hours.',
    regulatory: 'Information the bank is required by law to send.',
  },
)
export type Category = TypeOf<typeof Category>
