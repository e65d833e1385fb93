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

const hits = (nodes: Grantable, text: string) =>
  nodes.filter(({ name }) => name.includes(text.trim()))

/** Gives or takes what a search finds, all of it where nothing is searched for. */
export const foundToggled = (nodes: Grantable, held: string[], text: string, isGiven: boolean) =>
  hits(nodes, text).reduce((now, { id }) => toggled(nodes, now, id, isGiven), held)

/** The nodes whose name holds the text, with the way to them and all below. */
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
