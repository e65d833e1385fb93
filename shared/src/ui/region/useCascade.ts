import { useState } from 'react'
import { getColumns, findPath, type Choice, type RegionPath } from './choices'

const handledKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter']

const getLastLevel = (path: RegionPath) =>
  Math.max(
    0,
    path.findLastIndex((code) => code !== undefined),
  )

/** Returns the path with `code` in column `columnIndex` and nothing after it. */
const truncatePath = (
  [province, city]: RegionPath,
  columnIndex: number,
  code: string,
): RegionPath =>
  columnIndex === 0 ? [code] : columnIndex === 1 ? [province, code] : [province, city, code]

/** State of the columns: the marked choices, the active column, and the effect of keys and clicks. */
export function useCascade(value: string | undefined, onPick: (area: string) => void) {
  const [path, setPath] = useState<RegionPath>(() => findPath(value))
  const [level, setLevel] = useState(() => getLastLevel(findPath(value)))
  const columns = getColumns(path)

  function showCode(code: string | undefined) {
    const newPath = findPath(code)
    setPath(newPath)
    setLevel(getLastLevel(newPath))
  }

  /** Marks a choice and moves to the next column with more than one choice. */
  function chooseEntry(columnIndex: number, { code, area }: Choice) {
    if (area) return onPick(area)
    const newPath = truncatePath(path, columnIndex, code)
    const nextChoices = getColumns(newPath)[columnIndex + 1]!
    const onlyCode =
      columnIndex === 0 && nextChoices.length === 1 ? nextChoices[0]!.code : undefined
    setPath(onlyCode ? [code, onlyCode] : newPath)
    setLevel(onlyCode ? 2 : columnIndex + 1)
  }

  function markChoiceAtIndex(index: number) {
    const column = columns[level]!
    const choice = column[Math.max(0, Math.min(column.length - 1, index))]
    if (choice) setPath(truncatePath(path, level, choice.code))
  }

  /** Returns true if the key was handled. */
  function handleKey(key: string): boolean {
    if (!handledKeys.includes(key)) return false
    const column = columns[level]!
    const index = column.findIndex(({ code }) => code === path[level])
    const markedChoice = column[index]
    if (key === 'ArrowDown') markChoiceAtIndex(index + 1)
    if (key === 'ArrowUp') markChoiceAtIndex(index - 1)
    if (key === 'Home') markChoiceAtIndex(0)
    if (key === 'End') markChoiceAtIndex(column.length - 1)
    if (key === 'ArrowLeft' && level > 0) setLevel(columns[1].length === 1 ? 0 : level - 1)
    if (markedChoice && (key === 'Enter' || (key === 'ArrowRight' && !markedChoice.area)))
      chooseEntry(level, markedChoice)
    return true
  }

  return { columns, path, level, show: showCode, enter: chooseEntry, press: handleKey }
}

export type Cascade = ReturnType<typeof useCascade>
