import { useState } from 'react'
import { walkPaths, type Tree } from '../../contract/tree'
import type { Row, RowFilter, RowNode } from './rowNodes'

/** Rows that the user has opened (true) or closed (false). */
type Choices = ReadonlyMap<string, boolean>

const noChoices: Choices = new Map()
/** Rows from which virtual scrolling is used; rendering more takes seconds, and again for each selection. */
const virtualScrollThreshold = 300

type OpenRowsOptions<T extends Row> = {
  rows: T[]
  tree: Tree<T>
  nodes: RowNode<T>[]
  find: RowFilter<T>
  isClosedAtFirst: (row: T) => boolean
}

/** Determines the open rows; a search opens the ancestors of its matches until the user closes them. */
export function useOpenRows<T extends Row>({
  rows,
  tree,
  nodes,
  find,
  isClosedAtFirst,
}: OpenRowsOptions<T>) {
  const matches = find ? rows.filter(find) : []
  const searchedIds = listAncestorIds(tree, matches)
  const searchKey = matches.map(({ id }) => id).join()
  const [choices, setChoices] = useSearchedChoices(searchKey, searchedIds)
  const isOpen = (row: T) =>
    choices.get(row.id) ?? (searchedIds.has(row.id) || !isClosedAtFirst(row))
  const openIds = new Set(rows.filter(isOpen).map(({ id }) => id))
  const isVirtual = useVirtualScroll(nodes, openIds)
  const parents = rows.filter(({ id }) => tree.children(id).length > 0)
  const isAllOpen = parents.every(isOpen)
  return {
    openIds,
    toggle: (row: T) => setChoices([[row.id, !isOpen(row)]]),
    isOpen,
    toggleAll: () => setChoices(parents.map(({ id }) => [id, !isAllOpen])),
    isAllOpen,
    hasParents: parents.length > 0,
    isVirtual,
  }
}

const listAncestorIds = <T extends Row>(tree: Tree<T>, rows: T[]) =>
  new Set(rows.flatMap(({ id }) => tree.path(id).slice(0, -1)).map(({ id }) => id))

/** Choices about rows that a search has opened hold for this search; the other rows keep theirs. */
function useSearchedChoices(searchKey: string, searchedIds: ReadonlySet<string>) {
  const [keptChoices, setKeptChoices] = useState(noChoices)
  const [searchChoices, setSearchChoices] = useState({ searchKey, choices: noChoices })
  const currentChoices = searchChoices.searchKey === searchKey ? searchChoices.choices : noChoices
  const unsearchedChoices = [...keptChoices].filter(([id]) => !searchedIds.has(id))
  const setChoices = (entries: [id: string, isOpen: boolean][]) => {
    const isSearched = ([id]: [string, boolean]) => searchedIds.has(id)
    setSearchChoices({
      searchKey,
      choices: new Map([...currentChoices, ...entries.filter(isSearched)]),
    })
    setKeptChoices(
      (previous) => new Map([...previous, ...entries.filter((entry) => !isSearched(entry))]),
    )
  }
  return [new Map([...unsearchedChoices, ...currentChoices]) as Choices, setChoices] as const
}

/** Switching back from virtual scrolling would cost as much as rendering all rows, so it stays on. */
function useVirtualScroll<T extends Row>(nodes: RowNode<T>[], openIds: ReadonlySet<string>) {
  const [isVirtual, setVirtual] = useState(false)
  const visibleLineCount = [
    ...walkPaths(nodes, ({ id, children = [] }) => (openIds.has(id) ? children : [])),
  ].length
  if (visibleLineCount > virtualScrollThreshold && !isVirtual) setVirtual(true)
  return isVirtual
}
