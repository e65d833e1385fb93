import type { Output } from '@iot/shared/contract/endpoint'
import type { roleApi } from '@iot/shared/contract/role'

export type Grantable = Output<typeof roleApi.grantable>
export type GrantTree = {
  key: string
  title: string
  type: Grantable[number]['type']
  children: GrantTree[]
}

export const grantTree = (nodes: Grantable, parentId: string | null = null): GrantTree[] =>
  nodes
    .filter((node) => node.parentId === parentId)
    .map(({ id, name, type }) => ({ key: id, title: name, type, children: grantTree(nodes, id) }))

const below = (nodes: Grantable, id: string): string[] =>
  nodes
    .filter((node) => node.parentId === id)
    .flatMap((node) => [node.id, ...below(nodes, node.id)])

const above = (nodes: Grantable, id: string): string[] => {
  const parentId = nodes.find((node) => node.id === id)?.parentId
  return parentId ? [parentId, ...above(nodes, parentId)] : []
}

/**
 * Giving a right gives all below it and the way to it; taking it takes all below it. A page may be held without its
 * buttons. What the giver cannot see stays as it is.
 */
export function toggled(nodes: Grantable, held: string[], id: string, isGiven: boolean) {
  const now = new Set(held)
  for (const one of [id, ...below(nodes, id)])
    if (isGiven) now.add(one)
    else now.delete(one)
  if (isGiven) for (const one of above(nodes, id)) now.add(one)
  return [...now]
}
