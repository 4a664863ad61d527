import { execute, parse, print, type GraphQLSchema } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import * as model from '../../../kernel/domain/model.ts'
import { Arg, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { classOf, graphTypeOf } from '../../../kernel/graph/model-types.ts'
import { buildSubgraph } from '../../../kernel/graph/subgraph.ts'

const Color = model.enumeration('KiteColor', 'The color of a kite.', {
  red: 'Like a fire engine.',
  'sky-blue': 'Hard to see.',
})
const Size = model.shape('KiteSize', 'The size of a kite.', {
  widthCm: model.float('The width in centimeters.'),
})
const SizeInput = model.input('KiteSizeInput', 'The size of a new kite.', {
  widthCm: model.float('The width in centimeters.'),
})
const Pilot = model.reference('KitePilot', { pilotId: model.id() })
/** Only a thunk refers to this shape and to its enumeration. */
const Tail = model.shape('KiteTail', 'The tail of a kite.', {
  color: model.oneOf(
    model.enumeration('KiteTailColor', 'The color of a tail.', { green: 'Green.' }),
    'The color of the tail.',
  ),
})
const Kite = model.entity('Kite', 'kiteId', 'A toy that flies.', {
  kiteId: model.id('The ID of the kite.'),
  edition: model.integer('The edition.').named('version'),
  color: model.oneOf(Color, 'The main color.'),
  otherColors: model.list(model.oneOf(Color), 'The other colors.'),
  size: model.object(Size, 'The size.'),
  formerSizes: model.list(model.object(Size), 'The former sizes.').orNull(),
  price: model.money('The price.'),
  discount: model.money('The discount; null if there is none.').orNull(),
  pilot: model.object(Pilot, 'Who flies the kite.'),
  parent: model.graphType<object>((): object => Kite, 'The kite that pulls it.').orNull(),
  children: model.list(
    model.graphType<object>((): object => Kite),
    'The kites that it pulls.',
  ),
  tail: model.graphType<object>(() => Tail, 'The tail.'),
  owners: model.graphType<object>(() => model.connectionOf(Pilot), 'The owners.'),
  note: model.text('A note; null if there is none.').orNull(),
  contentHash: model.stored<string>(),
})
const Weather = model.entity(
  'KiteWeather',
  'place day',
  undefined,
  { place: model.string(), day: model.date() },
  { isResolvable: false },
)
const CreateKiteInput = model.input('CreateKiteInput', 'A new kite.', {
  name: model.label('The name.'),
  price: model.money('The price.'),
  budget: model.amount('The most it may cost.').orNull(),
  size: model.object(SizeInput, 'The size.').orNull(),
  color: model.oneOf(Color, 'The color.').defaultsTo('sky-blue'),
  trim: model.list(model.oneOf(Color), 'The colors of the trim.').defaultsTo(['sky-blue']),
  copies: model.integer('How many.').defaultsTo(1),
  tags: model.list(model.label(), 'The tags.').orNull(),
})

const scalars = {
  id: { field: model.id('Some value.'), type: 'ID' },
  string: { field: model.string('Some value.'), type: 'String' },
  label: { field: model.label('Some value.'), type: 'Label' },
  text: { field: model.text('Some value.'), type: 'Text' },
  versionLabel: { field: model.versionLabel('Some value.'), type: 'VersionLabel' },
  boolean: { field: model.boolean('Some value.'), type: 'Boolean' },
  integer: { field: model.integer('Some value.'), type: 'Int' },
  float: { field: model.float('Some value.'), type: 'Float' },
  bigInt: { field: model.bigInt('Some value.'), type: 'BigInt' },
  decimal: { field: model.decimal('Some value.'), type: 'Decimal' },
  money: { field: model.money('Some value.'), type: 'Money' },
  amount: { field: model.amount('Some value.'), type: 'Amount' },
  currency: { field: model.currency('Some value.'), type: 'Currency' },
  date: { field: model.date('Some value.'), type: 'Date' },
  instant: { field: model.instant('Some value.'), type: 'DateTime' },
  jsonObject: { field: model.jsonObject('Some value.'), type: 'JSONObject' },
  base64: { field: model.base64('Some value.'), type: 'Base64' },
}
const Everything = model.shape(
  'KiteEverything',
  'A value of each kind.',
  Object.fromEntries(Object.entries(scalars).map(([kind, { field }]) => [kind, field])),
)

const inputs: object[] = []

@Resolver(() => Kite)
class KiteResolver {
  @Query(() => Kite, { description: 'Returns a kite.' })
  kite(@Arg('kiteId', () => ID, { description: 'The ID.' }) _kiteId: string) {
    return null
  }

  @Query(() => model.connectionOf(Kite), { description: 'Returns kites.' })
  kites() {
    return null
  }

  @Mutation(() => Kite, { description: 'Creates a kite.' })
  createKite(@Arg('input', () => CreateKiteInput, { description: 'The kite.' }) input: object) {
    inputs.push(input)
    return { kiteId: 'kite_1', color: 'sky-blue', edition: 7, pilot: null }
  }
}

/** Uses the same declarations, and a connection that is declared once more. */
@Resolver()
class OtherKiteResolver {
  @Query(() => Kite, { description: 'Returns the first kite.' })
  firstKite() {
    return null
  }

  @Query(() => model.connectionOf(Kite), { description: 'Returns red kites.' })
  redKites(@Arg('color', () => Color, { description: 'The color.', nullable: true }) _: string) {
    return null
  }

  @Query(() => [Size], { description: 'Returns all sizes.' })
  kiteSizes() {
    return []
  }

  @Query(() => Weather, { description: 'Returns the weather.' })
  kiteWeather() {
    return null
  }
}

let schema: GraphQLSchema
const printed = new Map<string, string>()
beforeAll(async () => {
  schema = buildSubgraph({
    name: 'kites',
    resolvers: [KiteResolver, OtherKiteResolver],
    types: [Pilot, Everything],
    references: {},
    workers: [],
  })
  const { data } = await execute({ schema, document: parse('{ _service { sdl } }') })
  const { sdl } = (data as { _service: { sdl: string } })._service
  for (const definition of parse(sdl, { noLocation: true }).definitions) {
    const name = 'name' in definition && definition.name?.value
    if (name && printed.has(name)) throw new Error(`The schema has two types ${name}.`)
    if (name) printed.set(name, print(definition))
  }
})

const fieldsOf = (name: string) =>
  printed
    .get(name)!
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^\w+: /.test(line))

test('an entity has its key, its description, and fields with their types and descriptions', () => {
  const text = printed.get('Kite')!
  expect(text).toMatch(/^"""A toy that flies\."""\ntype Kite @key\(fields: "kiteId"\) \{/)
  expect(text).toContain('"""The discount; null if there is none."""\n  discount: Money\n')
  expect(fieldsOf('Kite')).toEqual([
    'kiteId: ID!',
    'version: Int!',
    'color: KiteColor!',
    'otherColors: [KiteColor!]!',
    'size: KiteSize!',
    'formerSizes: [KiteSize!]',
    'price: Money!',
    'discount: Money',
    // An entity can fail on its own, so the field is nullable.
    'pilot: KitePilot',
    'parent: Kite',
    'children: [Kite!]',
    'tail: KiteTail!',
    'owners: KitePilotConnection!',
    'note: Text',
  ])
})

test('a stored field is not in the graph', () => {
  expect(printed.get('Kite')).not.toContain('contentHash')
  expect(classOf(Kite).name).toBe('Kite')
})

test('a reference has keys that this subgraph cannot resolve, and no description', () => {
  expect(printed.get('KitePilot')).toBe(
    'type KitePilot @key(fields: "pilotId", resolvable: false) {\n  pilotId: ID!\n}',
  )
})

test('an entity with several keys that is declared as not resolvable says so', () => {
  expect(printed.get('KiteWeather')).toMatch(
    /^type KiteWeather @key\(fields: "place day", resolvable: false\) \{/,
  )
})

test('an input has inputs for money and nested shapes, and its default values', () => {
  expect(printed.get('CreateKiteInput')).toMatch(/^"""A new kite\."""\ninput CreateKiteInput \{/)
  expect(fieldsOf('CreateKiteInput')).toEqual([
    'name: Label!',
    'price: MoneyInput!',
    'budget: Amount',
    'size: KiteSizeInput',
    'color: KiteColor! = SKY_BLUE',
    'trim: [KiteColor!]! = [SKY_BLUE]',
    'copies: Int! = 1',
    'tags: [Label!]',
  ])
})

test('each kind of scalar has its type', () => {
  expect(fieldsOf('KiteEverything')).toEqual(
    Object.entries(scalars).map(([kind, { type }]) => `${kind}: ${type}!`),
  )
})

test('an enumeration has its values in capitals, each with its description', () => {
  expect(printed.get('KiteColor')).toBe(
    '"""The color of a kite."""\nenum KiteColor {\n' +
      '  """Like a fire engine."""\n  RED\n  """Hard to see."""\n  SKY_BLUE\n}',
  )
})

test('a connection has pages of its nodes', () => {
  expect(fieldsOf('KiteConnection')).toEqual([
    'nodes: [Kite!]!',
    'edges: [KiteEdge!]!',
    'pageInfo: PageInfo!',
  ])
  expect(fieldsOf('KiteEdge')).toEqual(['cursor: String!', 'node: Kite!'])
})

test('a type that only a thunk refers to is in the graph, with its own types', () => {
  expect(fieldsOf('KiteTail')).toEqual(['color: KiteTailColor!'])
  expect(printed.get('KiteTailColor')).toContain('GREEN')
  expect(fieldsOf('KitePilotConnection')).toContain('nodes: [KitePilot!]!')
})

test('resolvers that use the same declarations share their types', () => {
  const { kite, firstKite, kites, redKites } = schema.getQueryType()!.getFields()
  expect(firstKite!.type).toBe(kite!.type)
  expect(redKites!.type).toBe(kites!.type)
  expect(classOf(Kite)).toBe(classOf(Kite))
  expect(graphTypeOf([Color])[0]).toBe(graphTypeOf(Color))
  const connections = [model.connectionOf(Kite), model.connectionOf(Kite)].map(graphTypeOf)
  expect(connections[0]).toBe(connections[1])
})

test('everything that is not a declaration is used unchanged', () => {
  const union = Symbol('union') as unknown as object
  expect([String, ID, union, KiteResolver].map(graphTypeOf)).toEqual([
    String,
    ID,
    union,
    KiteResolver,
  ])
})

test('inputs reach the resolver in wire spelling, with their default values', async () => {
  const source = `mutation { createKite(input: { name: "Dragon",
    price: { amount: "1.50", currency: "EUR" } }) { kiteId color version } }`
  const { data, errors } = await execute({ schema, document: parse(source) })
  expect(errors).toBe(undefined)
  expect(data).toEqual({ createKite: { kiteId: 'kite_1', color: 'SKY_BLUE', version: 7 } })
  expect(inputs).toEqual([
    {
      name: 'Dragon',
      price: { amount: '1.50', currency: 'EUR' },
      color: 'sky-blue',
      trim: ['sky-blue'],
      copies: 1,
    },
  ])
})
