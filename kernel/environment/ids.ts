import { typeidUnboxed } from 'typeid-js'
import { idPrefixes, type IdKind } from '../domain/ids.ts'

/**
 * Creates an ID such as `ntf_01h455vb4pex5vsknk084sn02q`: a prefix for the kind, then a UUIDv7,
 * which sorts by time of creation.
 */
export function newId(kind: IdKind): string {
  return typeidUnboxed(idPrefixes[kind])
}

/**
 * Derives the ID of another kind from the ID of a record, with the same unique part. Used where a
 * record has exactly one companion record of that kind.
 */
export function companionId(kind: IdKind, id: string): string {
  return idPrefixes[kind] + id.slice(id.lastIndexOf('_'))
}
