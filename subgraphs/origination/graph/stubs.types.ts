import { Directive, Field, ID, ObjectType } from 'type-graphql'

@ObjectType()
@Directive('@key(fields: "customerId")')
export class Customer {
  @Field(() => ID)
  customerId: string
}

@ObjectType('Case')
@Directive('@key(fields: "caseId", resolvable: false)')
export class CaseStub {
  @Field(() => ID)
  caseId: string
}

@ObjectType('Notification')
@Directive('@key(fields: "notificationId", resolvable: false)')
export class NotificationStub {
  @Field(() => ID)
  notificationId: string
}

@ObjectType('PricingQuote')
@Directive('@key(fields: "pricingQuoteId", resolvable: false)')
export class PricingQuoteStub {
  @Field(() => ID)
  pricingQuoteId: string
}

@ObjectType('Agreement')
@Directive('@key(fields: "agreementId", resolvable: false)')
export class AgreementStub {
  @Field(() => ID)
  agreementId: string
}

@ObjectType('Facility')
@Directive('@key(fields: "facilityId", resolvable: false)')
export class FacilityStub {
  @Field(() => ID)
  facilityId: string
}
