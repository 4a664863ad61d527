import { declareEvents } from '../_kernel/events.ts'

declareEvents({
  'products.product.created': 'A version of a product was written.',
  'products.product.version-activated': 'A version of a product is on offer.',
  'products.product.version-superseded': 'A newer version took the place of the one on offer.',
  'products.product.suspended': 'A version of a product is off offer for a while.',
  'products.product.resumed': 'A suspended version of a product is on offer again.',
  'products.product.retired': 'A version of a product ended for good.',
  'products.product.withdrawn': 'A draft of a product was given up.',
  'products.offer.created': 'An offer was drafted.',
  'products.offer.published': 'An offer is open to whom it is made.',
  'products.offer.accepted': 'A customer accepted an offer.',
  'products.offer.expired': 'An offer was open for as long as it was made.',
  'products.offer.withdrawn': 'The bank took an offer back.',
  'pricing.quote.created': 'A price was computed.',
})
