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
 * Giving a right gives all below it and the way to it; taking it takes all below it. A page may be held without its
 * buttons. What the giver cannot see stays as it is.
 */
export function toggled(nodes: Grantable, held: string[], id: string, isGiven: boolean) {
  const tree = treeOf(nodes)
  const within = tree.within(id)
  if (!isGiven) return held.filter((one) => !within.has(one))
  return [...new Set([...held, ...within, ...tree.path(id).map((node) => node.id)])]
}

/** The nodes whose name holds the text, with the way to them and all below. */
export function found(nodes: Grantable, text: string) {
  const asked = text.trim()
  if (!asked) return nodes
  const tree = treeOf(nodes)
  const hits = nodes.filter(({ name }) => name.includes(asked))
  const kept = new Set(
    hits.flatMap(({ id }) => [...tree.within(id), ...tree.path(id).map((node) => node.id)]),
  )
  return nodes.filter(({ id }) => kept.has(id))
}
