import { useState } from 'react'
import { columnsOf, pathTo, type Choice, type Path } from './choices'

const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter']

const lastOf = (path: Path) =>
  Math.max(
    0,
    path.findLastIndex((code) => code !== undefined),
  )

/** Returns the path with `code` in column `at` and nothing after it. */
const upTo = ([province, city]: Path, at: number, code: string): Path =>
  at === 0 ? [code] : at === 1 ? [province, code] : [province, city, code]

/** State of the columns: the marked choices, the active column, and the effect of keys and clicks. */
export function useCascade(value: string | undefined, onPick: (area: string) => void) {
  const [path, setPath] = useState<Path>(() => pathTo(value))
  const [level, setLevel] = useState(() => lastOf(pathTo(value)))
  const columns = columnsOf(path)

  function show(code: string | undefined) {
    const next = pathTo(code)
    setPath(next)
    setLevel(lastOf(next))
  }

  /** Marks a choice and moves to the next column with more than one choice. */
  function enter(at: number, { code, area }: Choice) {
    if (area) return onPick(area)
    const next = upTo(path, at, code)
    const below = columnsOf(next)[at + 1]!
    const only = at === 0 && below.length === 1 ? below[0]!.code : undefined
    setPath(only ? [code, only] : next)
    setLevel(only ? 2 : at + 1)
  }

  function mark(index: number) {
    const column = columns[level]!
    const choice = column[Math.max(0, Math.min(column.length - 1, index))]
    if (choice) setPath(upTo(path, level, choice.code))
  }

  /** Returns true if the key was handled. */
  function press(key: string): boolean {
    if (!keys.includes(key)) return false
    const column = columns[level]!
    const index = column.findIndex(({ code }) => code === path[level])
    const marked = column[index]
    if (key === 'ArrowDown') mark(index + 1)
    if (key === 'ArrowUp') mark(index - 1)
    if (key === 'Home') mark(0)
    if (key === 'End') mark(column.length - 1)
    if (key === 'ArrowLeft' && level > 0) setLevel(columns[1].length === 1 ? 0 : level - 1)
    if (marked && (key === 'Enter' || (key === 'ArrowRight' && !marked.area))) enter(level, marked)
    return true
  }

  return { columns, path, level, show, enter, press }
}

export type Cascade = ReturnType<typeof useCascade>
