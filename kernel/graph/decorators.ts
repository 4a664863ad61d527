/**
 * The decorators of type-graphql, for resolvers that return and accept declarations of the model:
 * shapes, enumerations and connections, as well as classes and scalars.
 */
import * as graphql from 'type-graphql'
import { deferredTypeOf, type Declared } from './model-types.ts'

export { Ctx, ID, Info, Int, Root } from 'type-graphql'

type TypeThunk = () => Declared
interface Options {
  description?: string
  nullable?: boolean
  name?: string
}

export function Resolver(type?: TypeThunk): ClassDecorator {
  return type ? graphql.Resolver(deferredTypeOf(type)) : graphql.Resolver()
}

export function Query(type: TypeThunk, options: Options = {}): MethodDecorator {
  return graphql.Query(deferredTypeOf(type), options)
}

export function Mutation(type: TypeThunk, options: Options = {}): MethodDecorator {
  return graphql.Mutation(deferredTypeOf(type), options)
}

export function Subscription(
  type: TypeThunk,
  options: graphql.SubscriptionOptions,
): MethodDecorator {
  return graphql.Subscription(deferredTypeOf(type), options)
}

export function FieldResolver(
  type: TypeThunk,
  options: Options = {},
): MethodDecorator & PropertyDecorator {
  return graphql.FieldResolver(deferredTypeOf(type), options) as MethodDecorator & PropertyDecorator
}

export function Arg(
  name: string,
  type: TypeThunk,
  options: Options & { defaultValue?: unknown } = {},
): ParameterDecorator {
  return graphql.Arg(name, deferredTypeOf(type), options as object) as ParameterDecorator
}
