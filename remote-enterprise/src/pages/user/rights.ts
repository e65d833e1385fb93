import type { Output } from '@iot/shared/contract/endpoint'
import type { roleApi } from '@iot/shared/contract/role'
import { treeOf } from '@iot/shared/contract/tree'

export type Grantable = Output<typeof roleApi.grantable>
export type GrantTree = {
  key: string
  title: string
  type: Grantable[number]['type']
  children: GrantTree[]
}

export const grantTree = (nodes: Grantable) =>
  treeOf(nodes).nested<GrantTree>(({ id, name, type }, children) => ({
    key: id,
    title: name,
    type,
    children,
  }))

/**
 * Granting a permission grants its descendants and ancestors; revoking it revokes its descendants. A page may be
 * granted without its buttons. Permissions that the granting user cannot see are kept.
 */
export function toggled(nodes: Grantable, held: string[], id: string, isGiven: boolean) {
  const tree = treeOf(nodes)
  const within = tree.within(id)
  if (!isGiven) return held.filter((one) => !within.has(one))
  return [...new Set([...held, ...within, ...tree.path(id).map((node) => node.id)])]
}

const hits = (nodes: Grantable, text: string) =>
  nodes.filter(({ name }) => name.includes(text.trim()))

/** Grants or revokes all search results; an empty search means all permissions. */
export const foundToggled = (nodes: Grantable, held: string[], text: string, isGiven: boolean) =>
  hits(nodes, text).reduce((now, { id }) => toggled(nodes, now, id, isGiven), held)

/** Returns the nodes whose name contains the text, with their ancestors and descendants. */
export function found(nodes: Grantable, text: string) {
  const tree = treeOf(nodes)
  const kept = new Set(
    hits(nodes, text).flatMap(({ id }) => [
      ...tree.within(id),
      ...tree.path(id).map((node) => node.id),
    ]),
  )
  return nodes.filter(({ id }) => kept.has(id))
}
