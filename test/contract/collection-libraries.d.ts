// The parts of two libraries without declarations that the tests of the collections use.
declare module 'postman-collection' {
  export class Collection {
    constructor(definition: object)
    auth: { parameters(): { get(name: string): string } }
    events: { all(): CollectionEvent[] }
    variables: { all(): object[] }
    forEachItem(visit: (item: CollectionItem) => void): void
  }
  export interface CollectionEvent {
    listen: string
    script: { toSource(): string }
  }
  export interface CollectionItem {
    name: string
    events: { all(): CollectionEvent[] }
    request: {
      toJSON(): {
        method: string
        url: { host: string[]; path: string[] }
        header?: { key: string; value: string }[]
        body?: { raw: string }
      }
    }
  }
  export class VariableScope {
    constructor(definition: { values: object[] })
    get(name: string): string
    set(name: string, value: unknown, type?: string): void
    replaceIn(text: string): string
  }
}

declare module '@usebruno/schema' {
  export const collectionSchema: { validate(collection: object): Promise<object> }
}
