import { typeidUnboxed } from 'typeid-js'
import { idPrefixes, type IdKind } from './domain/ids.ts'

/** A new id such as `ntf_01h455vb4pex5vsknk084sn02q`: what it names, then a sortable unique part (UUIDv7). */
export function newId(kind: IdKind): string {
  return typeidUnboxed(idPrefixes[kind])
}

/** The id of the one thing of another kind that something has: its unique part is the same. */
export function companionId(kind: IdKind, id: string): string {
  return idPrefixes[kind] + id.slice(id.lastIndexOf('_'))
}
