import type { Output } from '@iot/shared/contract/endpoint'
import type { roleApi } from '@iot/shared/contract/access/role.api'
import { createTree } from '@iot/shared/contract/tree'

export type Grantable = Output<typeof roleApi.grantable>
export type GrantTree = {
  key: string
  title: string
  type: Grantable[number]['type']
  children: GrantTree[]
}

export const createGrantTree = (nodes: Grantable) =>
  createTree(nodes).nested<GrantTree>(({ id, name, type }, children) => ({
    key: id,
    title: name,
    type,
    children,
  }))

/**
 * Granting a permission grants its descendants and ancestors; revoking it revokes its descendants. A page may be
 * granted without its buttons. Permissions that the granting user cannot see are kept.
 */
export function toggleGrant(
  nodes: Grantable,
  grantedIds: string[],
  id: string,
  isGranted: boolean,
) {
  const tree = createTree(nodes)
  const subtreeIds = tree.within(id)
  if (!isGranted) return grantedIds.filter((grantedId) => !subtreeIds.has(grantedId))
  return [...new Set([...grantedIds, ...subtreeIds, ...tree.path(id).map((node) => node.id)])]
}

const findNodesByName = (nodes: Grantable, text: string) =>
  nodes.filter(({ name }) => name.includes(text.trim()))

/** Grants or revokes all search results; an empty search means all permissions. */
export const toggleSearchResults = (
  nodes: Grantable,
  grantedIds: string[],
  text: string,
  isGranted: boolean,
) =>
  findNodesByName(nodes, text).reduce(
    (current, { id }) => toggleGrant(nodes, current, id, isGranted),
    grantedIds,
  )

/** Returns the nodes whose name contains the text, with their ancestors and descendants. */
export function filterNodes(nodes: Grantable, text: string) {
  const tree = createTree(nodes)
  const shownIds = new Set(
    findNodesByName(nodes, text).flatMap(({ id }) => [
      ...tree.within(id),
      ...tree.path(id).map((node) => node.id),
    ]),
  )
  return nodes.filter(({ id }) => shownIds.has(id))
}
