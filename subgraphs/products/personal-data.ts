import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('products', 'offers and prices for customers', {
  'products.product': null,
  'products.product_version': null,
  'products.campaign': null,
  'products.reference_rate': null,
  'products.self_service_setting': null,
  'products.reference_rate_fixing': null,
  'products.pricing_quote': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'components fees',
  },
  'products.product_offer': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'channel headline',
  },
})
